import ObjectGraph

/// Translates collections to correlated subqueries.
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
        var element = ValueSQL.null
        let isOwn = operand.isRead(from: variable)
        var sql = try subquery(over: collection, variable) { translation, _ in
            element = try translation.value(operand).readable()
            if isOwn {
                return (result: try element.aggregated(by: function, dialect: translation.dialect).sql, conditions: [])
            }
            return (result: "\(element.numeric(translation.dialect)) AS \(Self.element)", conditions: [])
        }
        // SQLite assigns an aggregate over outer columns to the outer query, so the value becomes a column of a subquery.
        if !isOwn {
            let outer = try element.named(Self.element).aggregated(by: function, dialect: dialect)
            sql = "SELECT \(outer.sql) FROM (\(sql))"
        }
        let result = try element.aggregated(by: function, dialect: dialect)
        return ValueSQL("(\(sql))", result.kind, nullable: result.isNullable)
    }

    private static let element = "element"

    /// The key of one member, found by a subquery, and its entity number if that may vary.
    mutating func member(of collection: QueryCollection, at place: QueryPlace) throws -> ObjectSQL {
        guard let (base, reference) = collection.source,
            let relationship = model.entity(at: reference.entityIndex)?.relationships.element(reference.index)
        else { throw UntranslatableExpression("a place in a collection of collections") }
        func chosen(_ column: (MemberSource) -> SQLText, _ translation: inout ExpressionSQL) throws -> SQLText {
            let sql = try translation.subquery(over: collection, nil, rowsNeeded: true) { _, source in
                (result: column(source), conditions: [])
            } order: { source in
                place.window(by: [source.order, source.member.key].compactMap { $0 })
            }
            return "(\(sql))"
        }
        let destination = relationship.destinationIndex
        let key = try chosen({ $0.member.key }, &self)
        let number = model[destination].hasSubentities ? try chosen({ $0.member.number ?? "NULL" }, &self) : nil
        return ObjectSQL(
            entityIndex: destination, declaredIndex: destination, key: key, number: number, alias: nil,
            holder: try object(base).holder, isOptional: true)
    }

    // MARK: Subqueries

    private mutating func subquery(
        _ result: SQLText, over collection: QueryCollection, _ variable: QueryVariable?,
        conditions: (inout ExpressionSQL) throws -> [SQLText]
    ) throws -> SQLText {
        try subquery(over: collection, variable) { translation, _ in
            (result: result, conditions: try conditions(&translation))
        }
    }

    private mutating func subquery(
        over collection: QueryCollection, _ variable: QueryVariable?, rowsNeeded: Bool = false,
        _ body: (inout ExpressionSQL, MemberSource) throws -> (result: SQLText, conditions: [SQLText]),
        order: (MemberSource) -> SQLText = { _ in SQLText() }
    ) throws -> SQLText {
        openScope(from: SQLText(), aliases: [])
        var conditions: [SQLText] = []
        let source = try enter(collection, rowsNeeded: rowsNeeded || variable != nil, &conditions)
        if let variable { bind(variable, to: source.member) }
        let (result, more) = try body(&self, source)
        let from = closeScope()
        return "SELECT \(result) FROM \(from) WHERE \((conditions + more).joined(separator: " AND "))\(order(source))"
    }

    /// Adds the collection's tables to the innermost SELECT, and the conditions of its rows to `conditions`.
    private mutating func enter(
        _ collection: QueryCollection, rowsNeeded: Bool, _ conditions: inout [SQLText]
    ) throws -> MemberSource {
        switch collection {
        case .toMany(let owner, let reference):
            let source = try members(of: reference, owner: try object(owner))
            let row = rowsNeeded ? source.row : nil
            if let condition = add(source.table, source.condition, alias: source.alias) { conditions.append(condition) }
            if let row { join(row.table, on: row.condition, aliases: [row.alias]) }
            return source
        case .filtered(let inner, let variable, let test):
            let source = try enter(inner, rowsNeeded: true, &conditions)
            bind(variable, to: source.member)
            conditions += try conjunct(test)
            return source
        case .joined(let first, let variable, let second):
            bind(variable, to: try enter(first, rowsNeeded: true, &conditions).member)
            return try enter(second, rowsNeeded: rowsNeeded, &conditions)
        }
    }

    private struct MemberSource {
        var alias: String
        var table: SQLText
        var condition: SQLText
        /// The members' own rows, if the table is one of links.
        var row: (table: SQLText, condition: SQLText, alias: String)?
        var member: ObjectSQL
        /// The column that orders the members of an ordered relationship.
        var order: SQLText?
    }

    private mutating func members(of reference: RelationshipReference, owner: ObjectSQL) throws -> MemberSource {
        guard let relationship = model.entity(at: reference.entityIndex)?.relationships.element(reference.index),
            let storage = map.entities.element(reference.entityIndex)?.toMany.element(reference.index) ?? nil
        else { throw UntranslatableExpression("the relationship '\(reference.name)', which is not stored") }
        let ownerKey = try key(of: narrowed(owner, to: reference.entityIndex)).sql
        let alias = newAlias()
        let member = object(entityIndex: relationship.destinationIndex, alias: alias)
        switch storage {
        case .foreignKey(let table, let column, _, let order, _):
            return MemberSource(
                alias: alias, table: "\(dialect.name(table)) \(alias)",
                condition: "\(cell(alias, column)) = \(ownerKey)", member: member, order: order.map { cell(alias, $0) })
        case .joinTable(let name, let ownerColumn, let memberColumn, let order):
            let link = newAlias()
            let table = table(of: relationship.destinationIndex)
            let row: SQLText = "\(alias).\(SystemTables.keyColumn) = \(cell(link, memberColumn))"
            return MemberSource(
                alias: link, table: "\(dialect.name(name)) \(link)",
                condition: "\(cell(link, ownerColumn)) = \(ownerKey)",
                row: (table: "\(table) \(alias)", condition: row, alias: alias), member: member,
                order: order.map { cell(link, $0) })
        }
    }
}

extension ValueSQL {
    /// The value as a column of a subquery in which a whole real was converted to a real.
    func named(_ column: String) -> ValueSQL {
        ValueSQL(SQLText(column), kind == .wholeOrReal ? .real : kind, nullable: true)
    }

    /// The aggregate of the values of many rows.
    /// - Parameter numbers: The arithmetic of sums, averages, medians and deviations; with decimals, the result is a text.
    /// - Throws: `UntranslatableExpression` if the database does not have the function.
    func aggregated(
        by function: AggregateFunction, with numbers: AggregateNumbers = .reals, dialect: any Dialect
    ) throws -> ValueSQL {
        let (plain, isDistinct) = function.parts
        // SQLite counts all rows without reading each.
        if plain == .count, !isDistinct, !isNullable { return ValueSQL("count(*)", .integer, nullable: false) }
        let argument = function.isCalculated && numbers == .reals ? numeric(dialect) : sql
        let kind: Kind =
            switch plain {
            case .minimum, .maximum: self.kind
            case .count: .integer
            case .sum: self.kind.isReal ? .real : self.kind
            default: .real
            }
        return ValueSQL(
            "\(try dialect.called(.aggregate(plain, numbers)))(\(isDistinct ? "DISTINCT " : "")\(argument))", kind,
            nullable: plain != .count)
    }
}

extension QueryPlace {
    /// Selects the one row at the position.
    fileprivate func window(by keys: [SQLText]) -> SQLText {
        switch self {
        case .index(let index): " ORDER BY \(keys.joined(separator: ", ")) LIMIT 1 OFFSET \(max(0, index))"
        case .last: " ORDER BY \(keys.map { "\($0) DESC" }.joined(separator: ", ")) LIMIT 1"
        }
    }
}

extension QueryExpression {
    /// Whether this is a property of the variable's object, or of one reached from it through to-one relationships.
    fileprivate func isRead(from variable: QueryVariable) -> Bool {
        switch self {
        case .variable(let other): other == variable
        case .attribute(let base, _), .toOne(let base, _), .cast(let base, _), .identity(let base):
            base.isRead(from: variable)
        default: false
        }
    }
}
