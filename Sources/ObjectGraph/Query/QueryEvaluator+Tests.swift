/// Tests. Each is true or false, so `not` is always the opposite.
extension QueryEvaluator {
    func test(_ expression: QueryExpression, _ bindings: Bindings) throws -> Bool {
        switch expression {
        case .constant(let result):
            return result
        case .compare(let comparison, let left, let right):
            return ValueOrder.test(comparison, try value(left, bindings), try value(right, bindings))
        case .and(let parts):
            return try parts.allSatisfy { try test($0, bindings) }
        case .or(let parts):
            return try parts.contains { try test($0, bindings) }
        case .not(let inner):
            return try !test(inner, bindings)
        case .isMember(let element, let list):
            return memberLists.contains(try value(element, bindings), in: list)
        case .text(let kind, let text, let other):
            return try textTest(kind, text, other, bindings)
        case .isKind(let base, let entityIndex):
            return try object(base, bindings).map { isKind($0, entityIndex) } ?? false
        case .exists(let collection, let variable, let condition):
            return try members(collection, bindings).contains { member in
                try test(condition, bindings.binding(variable, to: member))
            }
        case .all(let collection, let variable, let condition):
            return try members(collection, bindings).allSatisfy { member in
                try test(condition, bindings.binding(variable, to: member))
            }
        case .conditional(let condition, let then, let otherwise):
            return try test(try test(condition, bindings) ? then : otherwise, bindings)
        default:
            return try value(expression, bindings).isTrue
        }
    }

    private func textTest(
        _ kind: TextTest, _ text: QueryExpression, _ other: QueryExpression, _ bindings: Bindings
    ) throws -> Bool {
        guard case .text(let text) = try value(text, bindings), case .text(let other) = try value(other, bindings)
        else { return false }
        return TextMatching.test(kind, text, other)
    }
}

extension Value {
    /// A value used as a test: true if it is neither nil nor zero.
    package var isTrue: Bool {
        switch self {
        case .null: false
        case .integer(let integer): integer != 0
        case .real(let real): !real.isNaN && real != 0
        case .decimal(let decimal): !decimal.isNaN && decimal != 0
        case .text, .bytes, .uuid, .reference: true
        }
    }
}
