import ObjectGraph

/// Which of the values that may be in files beside the store are read. The others are nil.
package enum FileValues: Sendable, Hashable {
    case all
    /// Those of the attributes with these names.
    case of(Set<String>)

    func includes(_ attribute: String) -> Bool {
        switch self {
        case .all: true
        case .of(let names): names.contains(attribute)
        }
    }
}
