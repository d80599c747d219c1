import ObjectGraph

/// Builds the SELECT of a query. The fetched entity's row always has the alias `t0`.
package struct SelectBuilder: Sendable {
    package let map: StorageMap
    package let spaces: EntitySpaces
    package let dialect: any Dialect

    package init(map: StorageMap, spaces: EntitySpaces, dialect: any Dialect) {
        self.map = map
        self.spaces = spaces
        self.dialect = dialect
    }

    package static let rowAlias = "t0"

    /// - Parameter columns: Column names of the entity's table, in the order of the result.
    /// - Throws: `UntranslatableExpression`.
    package func rows(_ query: Query, columns: [String]) throws -> SQLText {
        try select(list(columns), query, order: .byQuery)
    }

    /// Like `rows(_:columns:)`, in the cheapest order; in the query's order only if that determines which rows are selected.
    /// - Throws: `UntranslatableExpression`.
    package func someRows(_ query: Query, columns: [String]) throws -> SQLText {
        try select(list(columns), query, order: query.hasWindow ? .byQuery : .none)
    }

    private func list(_ columns: [String]) -> SQLText {
        SQLText(columns.map { "\(Self.rowAlias).\(dialect.name($0))" }.joined(separator: ", "))
    }

    private func table(of query: Query) -> String { dialect.name(map.entities[query.entityIndex].table) }

    /// Deletes the rows of a query, whatever its order. The query must have no window, and its entity no relationships.
    /// - Throws: `UntranslatableExpression`.
    package func deletion(_ query: Query) throws -> SQLText {
        "DELETE FROM \(table(of: query)) AS \(Self.rowAlias)" + (try source(query).conditions)
    }

    /// The condition ` WHERE …` for rows with the alias `rowAlias`; empty if all rows are selected.
    /// - Returns: `nil` if the condition needs rows of other tables.
    /// - Throws: `UntranslatableExpression`.
    package func ownConditions(_ query: Query) throws -> SQLText? {
        let (source, conditions) = try source(query)
        return source == "\(table(of: query)) \(Self.rowAlias)" ? conditions : nil
    }

    /// - Throws: `UntranslatableExpression`.
    package func count(_ query: Query) throws -> SQLText {
        if !query.hasWindow { return try select("count(*)", query, order: .none) }
        return "SELECT count(*) FROM (\(try select("1", query, order: .none)))"
    }

    private enum Order {
        case none
        case byQuery
    }

    private func select(_ result: SQLText, _ query: Query, order: Order) throws -> SQLText {
        var orderBy = SQLText()
        let (source, conditions) = try source(query) { translation, alias in
            if order == .byQuery { orderBy = try self.orderBy(query, &translation, alias) }
        }
        return "SELECT \(result) FROM \(source)" + conditions + orderBy + window(query)
    }

    /// Returns the tables of the rows and their conditions.
    /// - Parameter more: Translates further expressions that are read from the rows.
    func source(
        _ query: Query, more: (inout ExpressionSQL, _ alias: String) throws -> Void = { _, _ in }
    ) throws -> (source: SQLText, conditions: SQLText) {
        var translation = ExpressionSQL(map: map, spaces: spaces, dialect: dialect)
        let alias = translation.newAlias()
        translation.openScope(from: "\(table(of: query)) \(alias)", aliases: [alias])
        translation.bind(.root, to: translation.object(entityIndex: query.entityIndex, alias: alias))
        var conditions = entityCondition(query, alias) + exclusion(query, alias)
        if let predicate = query.predicate { conditions += try conjuncts(predicate, &translation) }
        try more(&translation, alias)
        let all: SQLText = conditions.isEmpty ? SQLText() : " WHERE " + ExpressionSQL.balanced(conditions[...], " AND ")
        return (translation.closeScope(), all)
    }

    /// Splits a conjunction into its terms, without constants that are true.
    private func conjuncts(_ predicate: QueryExpression, _ translation: inout ExpressionSQL) throws -> [SQLText] {
        switch predicate {
        case .constant(true): return []
        case .and(let parts): return try parts.flatMap { try conjuncts($0, &translation) }
        default: return [try translation.filter(predicate)]
        }
    }

    /// The condition for rows of the entity. If there is a predicate, the index of the entity number is not used: it is
    /// rarely selective, which the database cannot know.
    private func entityCondition(_ query: Query, _ alias: String) -> [SQLText] {
        let entity = map.model[query.entityIndex]
        let storage = map.entities[query.entityIndex]
        if entity.isRoot, query.includesSubentities || !entity.hasSubentities { return [] }
        let numbers = query.includesSubentities ? storage.familyNumbers : [storage.entityNumber]
        let number: SQLText = "\(alias).\(SystemTables.entityColumn)"
        return [ExpressionSQL.numberTest(query.predicate == nil ? number : dialect.unindexed(number), numbers)]
    }

    private func exclusion(_ query: Query, _ alias: String) -> [SQLText] {
        var excluded = KeySet()
        for index in map.model[query.entityIndex].familyIndexes {
            excluded.formUnion(query.excluded[spaces.spaces[index]])
        }
        guard !excluded.isEmpty else { return [] }
        return ["NOT \(dialect.isAmong(excluded, "\(alias).\(SystemTables.keyColumn)", by: .scan))"]
    }

    /// Primary keys break ties, so that pages of a result never overlap.
    func orderBy(_ query: Query, _ translation: inout ExpressionSQL, _ alias: String) throws -> SQLText {
        var terms: [SQLText] = []
        for key in query.sort {
            let value = try translation.sortOrGroupValue(key.expression).readable()
            let isText = value.kind == .text || value.kind == .unknown
            let isPlain = !isText || key.textOrder == .binary
            let collation = isPlain ? "" : try dialect.collated(by: key.textOrder)
            // A literal 1 would refer to the first column of the result.
            let sql: SQLText = value.kind == .integer && !value.isNullable ? "(\(value.sql) + 0)" : value.sql
            terms.append(dialect.ordered("\(sql)\(collation)", ascending: key.isAscending))
        }
        terms.append("\(alias).\(SystemTables.keyColumn)")
        return " ORDER BY " + terms.joined(separator: ", ")
    }

    private func window(_ query: Query) -> SQLText {
        dialect.window(limit: query.limit.map { max(0, $0) }, offset: max(0, query.offset))
    }
}
