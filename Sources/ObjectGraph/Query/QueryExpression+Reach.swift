extension QueryExpression {
    /// Whether the expression reads any object other than the fetched row.
    package var leadsElsewhere: Bool {
        switch self {
        case .variable, .literal, .constant: false
        case .attribute(let base, _), .identity(let base): base.isElsewhere
        case .cast(let base, _), .isKind(let base, _): base.isElsewhere
        case .toOne(let base, _): base.isElsewhere
        case .count, .aggregate, .exists, .all, .member: true
        case .arithmetic(_, let left, let right), .coalesce(let left, let right), .textOrder(_, let left, let right),
            .compare(_, let left, let right), .text(_, let left, let right):
            left.leadsElsewhere || right.leadsElsewhere
        case .conditional(let test, let then, let otherwise):
            test.leadsElsewhere || then.leadsElsewhere || otherwise.leadsElsewhere
        case .negative(let value), .textLength(let value), .not(let value), .isMember(let value, _):
            value.leadsElsewhere
        case .and(let parts), .or(let parts), .function(_, let parts): parts.contains(where: \.leadsElsewhere)
        }
    }

    /// Whether this is an object other than the fetched one.
    private var isElsewhere: Bool {
        switch self {
        case .variable: false
        case .cast(let base, _): base.isElsewhere
        default: true
        }
    }
}
