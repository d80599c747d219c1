/// Values.
extension QueryEvaluator {
    func value(_ expression: QueryExpression, _ bindings: Bindings) throws -> Value {
        switch expression {
        case .literal(let value):
            return value
        case .attribute(let base, let attribute):
            guard let object = try object(base, bindings), isKind(object, attribute.entityIndex) else { return .null }
            return try source.value(of: object, slot: attribute.slot)
        case .identity(let base):
            return try reference(base, bindings)
        case .arithmetic(let operation, let left, let right):
            return Arithmetic.apply(operation, try value(left, bindings), try value(right, bindings))
        case .negative(let operand):
            return Arithmetic.negative(try value(operand, bindings))
        case .conditional(let condition, let then, let otherwise):
            return try value(try test(condition, bindings) ? then : otherwise, bindings)
        case .coalesce(let first, let second):
            let value = try value(first, bindings)
            return try value.isNil ? self.value(second, bindings) : value
        case .count(let collection):
            return .integer(Int64(try members(collection, bindings).count))
        case .aggregate(let function, let collection, let variable, let element):
            let values = try members(collection, bindings).map { member in
                try value(element, bindings.binding(variable, to: member))
            }
            return function.apply(values)
        case .textOrder(let order, let left, let right):
            guard case .text(let left) = try value(left, bindings), case .text(let right) = try value(right, bindings)
            else { return .null }
            return .integer(Int64(TextMatching.order(order, left, right)))
        case .textLength(let text):
            guard case .text(let text) = try value(text, bindings) else { return .null }
            return .integer(Int64(TextMatching.length(text)))
        case .function(let function, let arguments):
            return function.apply(try arguments.map { try value($0, bindings) })
        case .variable, .toOne, .cast, .member:
            return try reference(expression, bindings)
        case .constant, .compare, .and, .or, .not, .isMember, .text, .isKind, .exists, .all:
            return .integer(try test(expression, bindings) ? 1 : 0)
        }
    }

    private func reference(_ expression: QueryExpression, _ bindings: Bindings) throws -> Value {
        try object(expression, bindings).map { .reference(source.identifier(of: $0)) } ?? .null
    }
}

/// Arithmetic on values. An operation with nil is nil, and so is one without a result: integer overflow, division by
/// zero, a real that is not a number, operands that are not numbers.
package enum Arithmetic {
    package static func apply(_ operation: ArithmeticOperator, _ a: Value, _ b: Value) -> Value {
        if case .integer(let left) = a, case .integer(let right) = b { return integers(operation, left, right) }
        guard let left = a.number, let right = b.number else { return .null }
        return reals(operation, left, right)
    }

    package static func negative(_ value: Value) -> Value {
        if case .integer(let integer) = value { return integers(.subtract, 0, integer) }
        return value.number.map { .real(-$0) } ?? .null
    }

    private static func integers(_ operation: ArithmeticOperator, _ a: Int64, _ b: Int64) -> Value {
        let result: (partialValue: Int64, overflow: Bool)
        switch operation {
        case .add: result = a.addingReportingOverflow(b)
        case .subtract: result = a.subtractingReportingOverflow(b)
        case .multiply: result = a.multipliedReportingOverflow(by: b)
        case .divide: result = a.dividedReportingOverflow(by: b)
        case .remainder:
            // Every integer is a multiple of -1; the processor's division would overflow for the minimum integer.
            if b == -1 { return .integer(0) }
            result = a.remainderReportingOverflow(dividingBy: b)
        }
        return result.overflow ? .null : .integer(result.partialValue)
    }

    private static func reals(_ operation: ArithmeticOperator, _ a: Double, _ b: Double) -> Value {
        let result: Double
        switch operation {
        case .add: result = a + b
        case .subtract: result = a - b
        case .multiply: result = a * b
        case .divide:
            if b == 0 { return .null }
            result = a / b
        case .remainder:
            // The remainder of the whole parts, as in databases.
            guard let a = Int64(exactly: a.rounded(.towardZero)), let b = Int64(exactly: b.rounded(.towardZero)),
                case .integer(let remainder) = integers(.remainder, a, b)
            else { return .null }
            result = Double(remainder)
        }
        return result.isNaN ? .null : .real(result)
    }
}

extension Value {
    /// The value as a real; `nil` if it is not a number.
    var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .real(let real): real.isNaN ? nil : real
        case .decimal(let decimal): decimal.isNaN ? nil : decimal.storedDouble
        default: nil
        }
    }
}
