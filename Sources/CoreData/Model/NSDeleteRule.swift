import ObjectGraph

/// The rules for the objects at the other end of a relationship when its owner is deleted.
public enum NSDeleteRule: UInt, Sendable {
    /// The destinations are not changed, and keep references to a deleted object.
    case noActionDeleteRule = 0
    /// The destinations lose their reference to the deleted object.
    case nullifyDeleteRule = 1
    /// The destinations are deleted, too.
    case cascadeDeleteRule = 2
    /// The deletion is refused while destinations survive.
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
