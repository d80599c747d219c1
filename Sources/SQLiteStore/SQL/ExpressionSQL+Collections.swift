import ObjectGraph

/// Collections as correlated subqueries.
extension ExpressionSQL {
    mutating func exists(
        _ collection: QueryCollection, _ variable: QueryVariable, _ test: QueryExpression
    ) throws -> SQLText {
        "EXISTS (\(try subquery("1", over: collection, variable) { try $0.conjunct(test) }))"
    }

    mutating func all(
        _ collection: QueryCollection, _ variable: QueryVariable, _ test: QueryExpression
    ) throws -> SQLText {
        "NOT EXISTS (\(try subquery("1", over: collection, variable) { try $0.conjunct(.not(test)) }))"
    }

    private mutating func conjunct(_ test: QueryExpression) throws -> [SQLText] {
        if case .constant(true) = test { return [] }
        return ["(\(try filter(test)))"]
    }

    mutating func count(of collection: QueryCollection) throws -> ValueSQL {
        let sql = try subquery("count(*)", over: collection, nil) { _ in [] }
        return ValueSQL("(\(sql))", .integer, nullable: false)
    }

    mutating func aggregate(
        _ function: AggregateFunction, _ collection: QueryCollection, _ variable: QueryVariable,
        _ operand: QueryExpression
    ) throws -> ValueSQL {
        var kind = ValueSQL.Kind.unknown
        let isOwn = operand.isRead(from: variable)
        var sql = try subquery(over: collection, variable) { translation in
            let value = try translation.value(operand).readable()
            kind = value.kind
            if isOwn { return (result: function.call(on: value.sql, value.numeric), conditions: []) }
            return (result: "\(value.numeric) AS \(Self.element)", conditions: [])
        }
        // SQLite takes an aggregate of outer columns for one of the outer query: give it a column of its own.
        if !isOwn { sql = "SELECT \(function.call(on: SQLText(Self.element), SQLText(Self.element))) FROM (\(sql))" }
        switch function {
        case .minimum, .maximum: return ValueSQL("(\(sql))", kind, nullable: true)
        case .sum: return ValueSQL("(\(sql))", kind.isReal ? .real : kind, nullable: true)
        case .average: return ValueSQL("(\(sql))", .real, nullable: true)
        }
    }

    private static let element = "element"

    // MARK: Subqueries

    private mutating func subquery(
        _ result: SQLText, over collection: QueryCollection, _ variable: QueryVariable?,
        conditions: (inout ExpressionSQL) throws -> [SQLText]
    ) throws -> SQLText {
        try subquery(over: collection, variable) { (result: result, conditions: try conditions(&$0)) }
    }

    private mutating func subquery(
        over collection: QueryCollection, _ variable: QueryVariable?,
        _ body: (inout ExpressionSQL) throws -> (result: SQLText, conditions: [SQLText])
    ) throws -> SQLText {
        let (owner, reference, filters) = unfolded(collection)
        let rowsNeeded = variable != nil || !filters.isEmpty
        let source = try members(of: reference, owner: try object(owner), rowsNeeded: rowsNeeded)
        openScope(from: source.from, aliases: source.aliases)
        var conditions = [source.condition]
        for (filterVariable, test) in filters {
            bind(filterVariable, to: source.member)
            conditions += try conjunct(test)
        }
        if let variable { bind(variable, to: source.member) }
        let (result, more) = try body(&self)
        let from = closeScope()
        return "SELECT \(result) FROM \(from) WHERE \((conditions + more).joined(separator: " AND "))"
    }

    /// The relationship at the bottom and the filters above it, innermost first.
    private func unfolded(
        _ collection: QueryCollection
    ) -> (owner: QueryExpression, reference: RelationshipReference, filters: [(QueryVariable, QueryExpression)]) {
        switch collection {
        case .toMany(let owner, let reference): return (owner, reference, [])
        case .filtered(let base, let variable, let test):
            let (owner, reference, filters) = unfolded(base)
            return (owner, reference, filters + [(variable, test)])
        }
    }

    private struct MemberSource {
        var from: SQLText
        var aliases: [String]
        var condition: SQLText
        var member: ObjectSQL
    }

    /// - Parameter rowsNeeded: whether the members' own rows are read, or just counted.
    private mutating func members(
        of reference: RelationshipReference, owner: ObjectSQL, rowsNeeded: Bool
    ) throws -> MemberSource {
        guard let relationship = model.entity(at: reference.entityIndex)?.relationships.element(reference.index),
            let storage = map.entities[reference.entityIndex].toMany.element(reference.index) ?? nil
        else { throw UntranslatableExpression("the relationship '\(reference.name)', which is not stored") }
        let ownerKey = try key(of: narrowed(owner, to: reference.entityIndex)).sql
        let alias = newAlias()
        let member = object(entityIndex: relationship.destinationIndex, alias: alias)
        switch storage {
        case .foreignKey(let table, let column, _, _, _):
            return MemberSource(
                from: "\(table) \(alias)", aliases: [alias], condition: "\(alias).\(column) = \(ownerKey)",
                member: member)
        case .joinTable(let name, let ownerColumn, let memberColumn, _):
            let link = newAlias()
            let table = map.entities[relationship.destinationIndex].table
            let row = " JOIN \(table) \(alias) ON \(alias).\(SystemTables.keyColumn) = \(link).\(memberColumn)"
            return MemberSource(
                from: "\(name) \(link)\(rowsNeeded ? row : "")", aliases: [alias, link],
                condition: "\(link).\(ownerColumn) = \(ownerKey)", member: member)
        }
    }
}

extension AggregateFunction {
    /// - Parameter numeric: the value where a sum must not take it for an integer.
    fileprivate func call(on value: SQLText, _ numeric: SQLText) -> SQLText {
        switch self {
        case .minimum: "min(\(value))"
        case .maximum: "max(\(value))"
        case .sum: "\(SQLNames.sum)(\(numeric))"
        case .average: "avg(\(numeric))"
        }
    }
}

extension QueryExpression {
    /// Whether this is a property of the variable's object, or of one reached from it by to-one relationships.
    fileprivate func isRead(from variable: QueryVariable) -> Bool {
        switch self {
        case .variable(let other): other == variable
        case .attribute(let base, _), .toOne(let base, _), .cast(let base, _): base.isRead(from: variable)
        default: false
        }
    }
}
