/// What deleting a destination means for a relationship: a fact of the model, by the inverse's delete rule.
package enum DestinationDelete: Sendable, Hashable {
    /// References to the deleted object are left as they are. Also for a relationship without an inverse.
    case leavesLinks
    /// Its owners lose the link.
    case clearsLinks
    /// Its owners are deleted, too.
    case deletesOwners
    /// It is refused while it has owners that survive.
    case isRefused

    init(_ effect: DeleteRules.Effect) {
        self =
            switch effect {
            case .nothing: .leavesLinks
            case .clearInverse: .clearsLinks
            case .deleteDestinations: .deletesOwners
            case .refuse: .isRefused
            }
    }

    /// Whether the links are removed with the destination, those of survivors as well as those of deleted owners.
    package var removesLinks: Bool { self == .clearsLinks || self == .deletesOwners }
}
