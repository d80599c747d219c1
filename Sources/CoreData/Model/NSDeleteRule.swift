import ObjectGraph

/// What deleting an object does to the objects at the other end of a relationship.
public enum NSDeleteRule: UInt, Sendable {
    /// Nothing: the others keep a link to an object that is gone.
    case noActionDeleteRule = 0
    /// The others lose their link back.
    case nullifyDeleteRule = 1
    /// The others are deleted too.
    case cascadeDeleteRule = 2
    /// The delete is refused while there are others.
    case denyDeleteRule = 3
}

extension NSDeleteRule {
    init(_ rule: DeleteRule) {
        switch rule {
        case .noAction: self = .noActionDeleteRule
        case .nullify: self = .nullifyDeleteRule
        case .cascade: self = .cascadeDeleteRule
        case .deny: self = .denyDeleteRule
        }
    }

    package var engineRule: DeleteRule {
        switch self {
        case .noActionDeleteRule: .noAction
        case .nullifyDeleteRule: .nullify
        case .cascadeDeleteRule: .cascade
        case .denyDeleteRule: .deny
        }
    }
}
