import ObjectGraph

/// Which external values are read from their files. The others are nil.
package enum FileValues: Sendable, Hashable {
    case all
    /// Values of the attributes with these names.
    case of(Set<String>)

    func includes(_ attribute: String) -> Bool {
        switch self {
        case .all: true
        case .of(let names): names.contains(attribute)
        }
    }
}
