/// Interprets the model's delete rules: the effect of deleting an object along each of its relationships. `DeletePlanner`
/// follows the effects, and `DeleteLineage` follows cascades upwards, from single rows to the roots of a long deletion; all
/// other code asks for the facts of `EntityRelationship` below.
package enum DeleteRules {
    package enum Effect: Sendable, Hashable {
        /// The destinations stay unchanged, even if that leaves a dangling reference.
        case nothing
        /// The destinations' references to the deleted object are cleared.
        case clearInverse
        case deleteDestinations
        /// The deletion is refused while a destination survives.
        case refuse
    }

    package static func effect(of relationship: EntityRelationship) -> Effect {
        effect(of: relationship.relationship.deleteRule, hasInverse: relationship.inverseIndex != nil)
    }

    static func effect(of rule: DeleteRule, hasInverse: Bool) -> Effect {
        switch rule {
        case .noAction: .nothing
        case .nullify: hasInverse ? .clearInverse : .nothing
        case .cascade: .deleteDestinations
        case .deny: .refuse
        }
    }
}

// MARK: When an owner is deleted

extension EntityRelationship {
    /// Deleting an owner does not concern its destinations.
    package var leavesDestinations: Bool { DeleteRules.effect(of: self) == .nothing }

    /// Deleting an owner clears the destinations' links back.
    package var nullifiesInverse: Bool { DeleteRules.effect(of: self) == .clearInverse }

    /// Deleting an owner deletes its destinations.
    package var deletesDestinations: Bool { DeleteRules.effect(of: self) == .deleteDestinations }

    /// An owner can be deleted only together with its destinations, because they are deleted too, or refuse.
    package var dependsOnDestinations: Bool {
        switch DeleteRules.effect(of: self) {
        case .deleteDestinations, .refuse: true
        case .nothing, .clearInverse: false
        }
    }

    /// Deleting an owner changes no reference of a survivor by which a store finds the owner's members: they can be read
    /// again as long as the deletion is not saved. Also `false` for members that are not followed, or that refuse the deletion.
    func keepsMemberReferences(inverse: EntityRelationship?) -> Bool {
        switch DeleteRules.effect(of: self) {
        case .deleteDestinations: true
        case .clearInverse: inverse?.isToOne == false
        case .nothing, .refuse: false
        }
    }
}

// MARK: When a destination is deleted, by the inverse's rule

extension EntityRelationship {
    /// Links to a deleted destination stay as they are. Also without an inverse.
    package var keepsDeletedDestinations: Bool { destinationDelete == .nothing }

    /// Links to a deleted destination are removed with it, those of survivors as well as those of deleted owners.
    package var losesDeletedDestinations: Bool {
        switch destinationDelete {
        case .clearInverse, .deleteDestinations: true
        case .nothing, .refuse: false
        }
    }

    /// Owners survive the deletion of a destination, and lose the link.
    package var isNullifiedByDeletes: Bool { destinationDelete == .clearInverse }

    /// A destination cannot be deleted while it has owners that survive.
    package var protectsDestinations: Bool { destinationDelete == .refuse }
}

// MARK: Numbers of destinations

extension Relationship {
    /// The numbers of destinations below the minimum that a save, a deletion and a check refuse; `nil` for none.
    /// An optional relationship may be empty, but not have fewer than the minimum: a minimum of one refuses nothing.
    package var refusedCounts: Range<Int>? {
        let least = isOptional ? 1 : 0
        return least < minimumCount ? least..<minimumCount : nil
    }

    /// What is wrong with a number of destinations of a to-many relationship.
    package enum CountFault: Sendable, Hashable {
        case tooFew(minimum: Int)
        case tooMany(maximum: Int)
    }

    /// - Returns: `nil` for a valid number.
    package func fault(ofCount count: Int) -> CountFault? {
        if let refusedCounts, refusedCounts.contains(count) { return .tooFew(minimum: minimumCount) }
        if let mostCount, count > mostCount { return .tooMany(maximum: mostCount) }
        return nil
    }

    /// Whether an object must have a destination. A to-many relationship may be empty without a minimum, optional or not:
    /// Apple's files have such rows, and every list of a SwiftData model is such a relationship.
    package var isMandatory: Bool { requiresDestination || refusedCounts?.contains(0) == true }

    /// Whether a to-one relationship must not be nil.
    package var requiresDestination: Bool { cardinality == .toOne && !isOptional }

    /// The least valid number of destinations besides none; 0 without a minimum.
    package var leastCount: Int { max(0, minimumCount) }

    /// The largest valid number of destinations; `nil` without a maximum.
    package var mostCount: Int? { maximumCount > 0 ? maximumCount : nil }

    /// Whether some numbers of destinations of a to-many relationship are refused.
    package var limitsCount: Bool { refusedCounts != nil || mostCount != nil }

    /// Whether a save checks the number of destinations.
    var hasCount: Bool { cardinality == .toOne ? requiresDestination : minimumCount > 0 || mostCount != nil }
}
