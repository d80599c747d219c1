extension QueryExpression {
    /// Whether the expression reads any object other than the fetched row.
    package var readsOtherObjects: Bool {
        switch self {
        case .variable, .literal, .constant: false
        case .attribute(let base, _), .identity(let base): base.isOtherObject
        case .cast(let base, _), .isKind(let base, _): base.isOtherObject
        case .toOne(let base, _): base.isOtherObject
        case .count, .aggregate, .exists, .all, .member: true
        case .arithmetic(_, let left, let right), .coalesce(let left, let right), .textOrder(_, let left, let right),
            .compare(_, let left, let right), .text(_, let left, let right):
            left.readsOtherObjects || right.readsOtherObjects
        case .conditional(let test, let then, let otherwise):
            test.readsOtherObjects || then.readsOtherObjects || otherwise.readsOtherObjects
        case .negative(let value), .textLength(let value), .not(let value), .isMember(let value, _):
            value.readsOtherObjects
        case .and(let parts), .or(let parts), .function(_, let parts): parts.contains(where: \.readsOtherObjects)
        }
    }

    /// Whether this is an object other than the fetched one.
    private var isOtherObject: Bool {
        switch self {
        case .variable: false
        case .cast(let base, _): base.isOtherObject
        default: true
        }
    }
}
