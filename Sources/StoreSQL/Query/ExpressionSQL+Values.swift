import ObjectGraph

extension ExpressionSQL {
    /// Translates the expression to a value: for a test 1 or 0, for an object its key.
    package mutating func value(_ expression: QueryExpression) throws -> ValueSQL {
        switch expression {
        case .variable, .toOne, .cast, .member: return try key(of: try object(expression))
        case .identity(let base): return try key(of: try object(base))
        case .literal(let value): return literal(value)
        case .attribute(let base, let reference): return try attribute(reference, of: try object(base))
        case .arithmetic(let operation, let left, let right): return try arithmetic(operation, left, right)
        case .negative(let operand): return try negative(try value(operand).readable())
        case .conditional(let test, let then, let otherwise): return try conditional(test, then, otherwise)
        case .coalesce(let first, let second): return try coalesce(first, second)
        case .count(let collection): return try count(of: collection)
        case .aggregate(let function, let collection, let variable, let operand):
            return try aggregate(function, collection, variable, operand)
        case .textOrder(let order, let left, let right):
            let (left, right) = (try value(left).readable(), try value(right).readable())
            return ValueSQL(
                "\(try dialect.called(.order(order)))(\(left.sql), \(right.sql))", .integer, nullable: true)
        case .textLength(let operand):
            let operand = try value(operand).readable()
            return ValueSQL(
                "\(try dialect.called(.textLength))(\(operand.sql))", .integer, nullable: operand.isNullable)
        case .function(let function, let arguments): return try call(function, arguments)
        case .constant, .compare, .and, .or, .not, .isMember, .text, .isKind, .exists, .all:
            return ValueSQL(dialect.value(of: try strict(expression)), .integer, nullable: false)
        }
    }

    private func literal(_ value: Value) -> ValueSQL {
        if case .reference(let id) = value {
            guard let index = spaces.entityIndex(of: id) else {
                // An object of another store: no key equals it, but it is not missing either.
                return ValueSQL(.parameter(.integer(Int64.min)), .unknown, nullable: false, literal: value)
            }
            let kind = ValueSQL.Kind.key(rootIndex: model[index].rootIndex)
            return ValueSQL(.parameter(.integer(id.key)), kind, nullable: false, literal: value)
        }
        guard let bound = Cell(value), bound != .null else { return .null }
        return ValueSQL(.parameter(bound), ValueSQL.Kind(of: bound), nullable: false, literal: value)
    }

    private mutating func attribute(_ reference: AttributeReference, of object: ObjectSQL) throws -> ValueSQL {
        guard let storage = map.entities.element(reference.entityIndex),
            let column = storage.columns.element(reference.slot) ?? nil,
            case .attribute(let attributeIndex, _)? = model[reference.entityIndex].slots.element(reference.slot)
        else { throw UntranslatableExpression("the attribute '\(reference.path)', which is not stored") }
        let declaringIndex = model[reference.entityIndex].attributes[attributeIndex].declaringIndex
        let object = narrowed(object, to: reference.entityIndex)
        let alias = try row(of: object)
        let guards = try self.guards(of: object, declaringIndex: declaringIndex)
        return ValueSQL(
            guarded(cell(alias, column.name), by: guards), ValueSQL.Kind(column, path: reference.path), nullable: true)
    }

    // MARK: Arithmetic

    /// Reals are calculated by the database's operators, other numbers by functions.
    private mutating func arithmetic(
        _ operation: ArithmeticOperator, _ left: QueryExpression, _ right: QueryExpression
    ) throws -> ValueSQL {
        let (left, right) = (try value(left).readable(), try value(right).readable())
        let isReal = left.kind.isReal || right.kind.isReal
        let (first, second) = (left.numeric(dialect), right.numeric(dialect))
        if isReal, operation != .remainder, left.kind.isNumber, right.kind.isNumber {
            let result =
                operation == .divide ? dialect.quotient(first, second) : "\(first) \(operation.symbol) \(second)"
            return ValueSQL("(\(result))", .real, nullable: true)
        }
        let kind: ValueSQL.Kind = isReal ? .real : left.kind == .integer && right.kind == .integer ? .integer : .unknown
        return ValueSQL(
            "\(try dialect.called(.arithmetic(operation)))(\(first), \(second))", kind, nullable: true)
    }

    private func negative(_ operand: ValueSQL) throws -> ValueSQL {
        if operand.kind.isReal {
            return ValueSQL("(-\(operand.numeric(dialect)))", .real, nullable: operand.isNullable)
        }
        return ValueSQL(
            "\(try dialect.called(.arithmetic(.subtract)))(0, \(operand.sql))", operand.kind, nullable: true)
    }

    // MARK: Functions

    private mutating func call(_ function: ScalarFunction, _ arguments: [QueryExpression]) throws -> ValueSQL {
        guard arguments.count == function.argumentCount else {
            throw UntranslatableExpression("a function with another number of arguments")
        }
        var operands: [ValueSQL] = []
        for argument in arguments { operands.append(try value(argument).readable()) }
        if operands.contains(where: \.kind.isKey) { throw UntranslatableExpression("a function of an object") }
        let list = operands.map { $0.numeric(dialect) }.joined(separator: ", ")
        let kind: ValueSQL.Kind =
            switch function.result {
            case .text: .text
            case .integer: .integer
            case .real: .real
            case .sameNumber: operands.first.map { $0.kind.isReal ? .real : $0.kind } ?? .unknown
            }
        return ValueSQL("\(try dialect.called(.scalar(function)))(\(list))", kind, nullable: true)
    }

    // MARK: Choices

    private mutating func conditional(
        _ test: QueryExpression, _ then: QueryExpression, _ otherwise: QueryExpression
    ) throws -> ValueSQL {
        let test = try filter(test)
        let (then, otherwise) = (try value(then).readable(), try value(otherwise).readable())
        let (thenSQL, otherwiseSQL) = alike(then, otherwise)
        return ValueSQL(
            "CASE WHEN \(test) THEN \(thenSQL) ELSE \(otherwiseSQL) END", Self.common(then.kind, otherwise.kind),
            nullable: then.isNullable || otherwise.isNullable)
    }

    private mutating func coalesce(_ first: QueryExpression, _ second: QueryExpression) throws -> ValueSQL {
        let (first, second) = (try value(first).readable(), try value(second).readable())
        let (firstSQL, secondSQL) = alike(first, second)
        return ValueSQL(
            "coalesce(\(firstSQL), \(secondSQL))", Self.common(first.kind, second.kind),
            nullable: first.isNullable && second.isNullable)
    }

    /// Makes the kinds of two values equal, so that calculations do not treat a whole real as an integer.
    private func alike(_ left: ValueSQL, _ right: ValueSQL) -> (SQLText, SQLText) {
        left.kind == right.kind ? (left.sql, right.sql) : (left.numeric(dialect), right.numeric(dialect))
    }

    private static func common(_ left: ValueSQL.Kind, _ right: ValueSQL.Kind) -> ValueSQL.Kind {
        if left == right || right == .null { return left }
        if left == .null { return right }
        return left.isReal && right.isReal ? .wholeOrReal : .unknown
    }
}

extension ArithmeticOperator {
    fileprivate var symbol: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .remainder: "%"
        }
    }
}
