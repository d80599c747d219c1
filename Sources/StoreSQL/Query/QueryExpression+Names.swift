import ObjectGraph

extension QueryExpression {
    /// The name of the construct, for messages.
    var kindName: String {
        switch self {
        case .variable: "a variable"
        case .toOne(_, let reference): "the relationship '\(reference.name)'"
        case .cast: "a cast"
        case .member: "a member of an order"
        case .literal: "a literal"
        case .attribute(_, let reference): "the attribute '\(reference.path)'"
        case .identity: "an identity"
        case .arithmetic: "arithmetic"
        case .negative: "a negative"
        case .conditional: "a conditional"
        case .coalesce: "a default for nil"
        case .count: "a count"
        case .aggregate: "an aggregate"
        case .textOrder: "a text order"
        case .textLength: "a text length"
        case .function: "a function"
        case .constant, .compare, .and, .or, .not, .isMember, .text, .isKind, .exists, .all: "a test"
        }
    }
}
