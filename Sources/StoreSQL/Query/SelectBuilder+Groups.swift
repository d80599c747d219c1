import ObjectGraph

/// Builds the SELECT of groups of rows. Translates only expressions that certainly have the same result in SQL as in memory.
extension SelectBuilder {
    /// A text and how its columns are read: first the keys, then the results.
    package struct GroupText {
        package var text: SQLText
        package var keys: [GroupColumn]
        package var results: [GroupColumn]
    }

    /// - Throws: `UntranslatableExpression`.
    package func groups(_ query: GroupQuery) throws -> GroupText {
        if query.keys.isEmpty, query.results.isEmpty { throw UntranslatableExpression("groups of nothing") }
        let sortsByKeys = query.keys.isEmpty || query.rows.sort.allSatisfy { query.keys.contains($0.expression) }
        var columns = GroupColumns()
        var rowNumber: SQLText?
        let (source, conditions) = try source(query.rows) { translation, alias in
            for key in query.keys { try columns.add(key: key, &translation, self) }
            for result in query.results { try columns.add(result, &translation, self) }
            if !sortsByKeys { rowNumber = "row_number() OVER (\(try orderBy(query.rows, &translation, alias)))" }
        }
        let rows: SQLText = " FROM \(source)\(conditions)"
        guard let rowNumber else {
            let first = "min(\(Self.rowAlias).\(SystemTables.keyColumn))"
            let order = try order(query, columns.keys)
            let text: SQLText = "SELECT \(try columns.ofGroups(dialect))\(rows)\(columns.grouping(order, first))"
            return GroupText(text: text, keys: columns.keys, results: columns.results)
        }
        // Determines each row's position in the order first; a group has the position of its first row.
        let text: SQLText =
            "SELECT \(try columns.ofGroupsOfNamed(dialect)) FROM (SELECT \(columns.ofRows(dialect)), \(rowNumber) AS place\(rows))"
            + columns.grouping([], "min(place)")
        return GroupText(text: text, keys: columns.keys, results: columns.results)
    }

    /// Returns the terms of an order by keys.
    private func order(_ query: GroupQuery, _ keys: [GroupColumn]) throws -> [SQLText] {
        try query.rows.sort.compactMap { sort in
            guard let key = zip(query.keys, keys).first(where: { $0.0 == sort.expression })?.1 else { return nil }
            let isText = key.reading == .attribute(.string) || key.reading == .attribute(.uri)
            let collation = isText ? try dialect.collated(by: sort.textOrder) : ""
            return dialect.ordered("\(key.alias)\(collation)", ascending: sort.isAscending)
        }
    }

    /// Returns how the cells of an expression are decoded.
    fileprivate func reading(of expression: QueryExpression, _ value: ValueSQL) throws -> GroupColumn.Reading {
        if case .attribute(_, let reference) = expression,
            let column = map.entities.element(reference.entityIndex)?.columns.element(reference.slot) ?? nil
        {
            return .attribute(column.type)
        }
        switch (expression.identified, value.kind) {
        case (.toOne(.variable(.root), let reference), .key):
            let relationship = map.model[reference.entityIndex].relationships[reference.index]
            return .reference(spaces.spaces[relationship.destinationIndex])
        case (_, .integer), (_, .real): return .number
        case (_, .text): return .attribute(.string)
        default: throw UntranslatableExpression("\(expression.kindName) as a column")
        }
    }
}

/// A column of a SELECT of groups.
package struct GroupColumn: Hashable {
    package let place: Int
    package let reading: Reading
    /// The column of the object's entity number, if there is one.
    package var numberPlace: Int?
    /// Whether NULL stands for an overflow of 64 bits rather than for nil.
    package var isNeverNull = false

    package enum Reading: Hashable {
        case attribute(AttributeType)
        case number
        /// A key of the entity with this space, unless the entity number says otherwise.
        case reference(IDSpace)
    }

    /// An alias that no column of a file has.
    package var alias: SQLText { "k\(place)" }
}

/// The columns of a SELECT of groups while it is built.
private struct GroupColumns {
    private(set) var keys: [GroupColumn] = []
    private(set) var results: [GroupColumn] = []
    /// All columns in order: the value read from each row, and the result computed from it.
    private var values: [(value: ValueSQL, result: GroupQuery.Result?)] = []

    mutating func add(
        key expression: QueryExpression, _ translation: inout ExpressionSQL, _ builder: SelectBuilder
    ) throws {
        let value = try translation.sortOrGroupValue(expression).readable()
        var column = GroupColumn(place: values.count, reading: try builder.reading(of: expression, value))
        values.append((value, nil))
        if value.kind.isKey, let number = try translation.object(expression.identified).number {
            column.numberPlace = values.count
            values.append((ValueSQL(number, .integer, nullable: true), nil))
        }
        keys.append(column)
    }

    mutating func add(
        _ result: GroupQuery.Result, _ translation: inout ExpressionSQL, _ builder: SelectBuilder
    ) throws {
        let value = try translation.value(result.operand).readable()
        guard value.kind.isNumber || !result.function.isCalculated else {
            throw UntranslatableExpression("a calculation with a value that is not a number")
        }
        var column = GroupColumn(place: values.count, reading: try reading(of: result, value, builder))
        column.isNeverNull = result.function.parts.function == .sum && result.numbers == .reals
        values.append((value, result))
        results.append(column)
    }

    private func reading(
        of result: GroupQuery.Result, _ value: ValueSQL, _ builder: SelectBuilder
    ) throws -> GroupColumn.Reading {
        guard result.function == .minimum || result.function == .maximum else {
            return result.isOfDecimals ? .attribute(.decimal) : .number
        }
        if value.kind.isKey { throw UntranslatableExpression("the least and the greatest object") }
        return try builder.reading(of: result.operand, value)
    }

    // MARK: Text

    func ofGroups(_ dialect: any Dialect) throws -> SQLText {
        try list { place, value, result in
            try result.map { try value.aggregated(by: $0.function, with: $0.numbers, dialect: dialect).sql }
                ?? "\(value.sql) AS k\(place)"
        }
    }

    func ofRows(_ dialect: any Dialect) -> SQLText {
        list { place, value, result in
            let isReal = result.map { $0.function.isCalculated && !$0.isOfDecimals } ?? false
            return "\(isReal ? value.numeric(dialect) : value.sql) AS k\(place)"
        }
    }

    /// The results over the rows, with the columns' aliases.
    func ofGroupsOfNamed(_ dialect: any Dialect) throws -> SQLText {
        try list { place, value, result in
            let name = "k\(place)"
            return try result.map {
                try value.named(name).aggregated(by: $0.function, with: $0.numbers, dialect: dialect).sql
            } ?? SQLText(name)
        }
    }

    private func list(_ text: (Int, ValueSQL, GroupQuery.Result?) throws -> SQLText) rethrows -> SQLText {
        try values.enumerated().map { try text($0, $1.value, $1.result) }.joined(separator: ", ")
    }

    /// - Parameter first: Orders groups that the terms leave equal.
    func grouping(_ terms: [SQLText], _ first: String) -> SQLText {
        if keys.isEmpty { return SQLText() }
        let names = keys.map(\.alias).joined(separator: ", ")
        return " GROUP BY \(names) ORDER BY \((terms + [SQLText(first)]).joined(separator: ", "))"
    }
}

extension GroupQuery.Result {
    /// Whether the result is calculated with decimals.
    fileprivate var isOfDecimals: Bool { function.isCalculated && numbers == .decimals }
}
