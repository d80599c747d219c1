import ObjectGraph

/// The SELECT of groups of rows. Only what surely means the same in SQL as over the rows in memory is translated.
extension SelectBuilder {
    /// A text and how its columns are read: those of the keys, then those of the results.
    struct GroupText {
        var text: SQLText
        var keys: [GroupColumn]
        var results: [GroupColumn]
    }

    /// - Throws: `UntranslatableExpression`, also for an order by what is no key.
    func groups(_ query: GroupQuery) throws -> GroupText {
        var columns: [SQLText] = []
        var (keys, results): ([GroupColumn], [GroupColumn]) = ([], [])
        let (source, conditions) = try source(query.rows) { translation, _ in
            for key in query.keys { keys.append(try self.key(key, &translation, &columns)) }
            for result in query.results { results.append(try self.result(result, &translation, &columns)) }
        }
        if columns.isEmpty { columns.append("count(*)") }
        var text: SQLText = "SELECT \(columns.joined(separator: ", ")) FROM \(source)\(conditions)"
        if !keys.isEmpty { text += " GROUP BY \(keys.map(\.alias).joined(separator: ", "))\(try order(query, keys))" }
        return GroupText(text: text, keys: keys, results: results)
    }

    private func key(
        _ expression: QueryExpression, _ translation: inout ExpressionSQL, _ columns: inout [SQLText]
    ) throws -> GroupColumn {
        let value = try translation.value(expression).readable()
        var column = GroupColumn(place: columns.count, reading: try reading(of: expression, value))
        columns.append("\(value.sql) AS \(column.alias)")
        if case .key = value.kind, let number = try translation.object(expression).number {
            column.numberPlace = columns.count
            columns.append(number)
        }
        return column
    }

    private func result(
        _ result: GroupQuery.Result, _ translation: inout ExpressionSQL, _ columns: inout [SQLText]
    ) throws -> GroupColumn {
        let operand = try translation.value(result.operand)
        // How many there are can be asked of everything.
        let isCount = result.function.parts == (.count, false)
        let value = isCount ? operand : try operand.readable()
        let aggregated = value.aggregated(by: result.function)
        var column = GroupColumn(place: columns.count, reading: .number)
        switch result.function {
        case .minimum, .maximum:
            column.reading = try reading(of: result.operand, value)
            if case .reference = column.reading { throw UntranslatableExpression("the least of objects") }
        case .count, .distinctCount: break
        default:
            guard value.kind.isNumber else { throw UntranslatableExpression("a calculation with what is no number") }
            column.isNeverNull = result.function.parts.function == .sum
        }
        columns.append(aggregated.sql)
        return column
    }

    /// How the cells of an expression are read as its values.
    private func reading(of expression: QueryExpression, _ value: ValueSQL) throws -> GroupColumn.Reading {
        if case .attribute(_, let reference) = expression,
            let column = map.entities[reference.entityIndex].columns.element(reference.slot) ?? nil
        {
            return .attribute(column.type)
        }
        switch (expression, value.kind) {
        case (.toOne(.variable(.root), let reference), .key):
            let relationship = map.model[reference.entityIndex].relationships[reference.index]
            return .reference(spaces.spaces[relationship.destinationIndex])
        case (_, .integer), (_, .real): return .number
        case (_, .text): return .attribute(.string)
        default: throw UntranslatableExpression("\(expression.kindName) as a column")
        }
    }

    /// Groups sort by their keys; those that are alike, by their first rows.
    private func order(_ query: GroupQuery, _ keys: [GroupColumn]) throws -> SQLText {
        var terms: [SQLText] = []
        for key in query.rows.sort {
            guard let place = query.keys.firstIndex(of: key.expression) else {
                throw UntranslatableExpression("an order of groups by what differs within them")
            }
            if case .reference = keys[place].reading {
                throw UntranslatableExpression("an order of groups by objects")
            }
            let isText = keys[place].reading == .attribute(.string) || keys[place].reading == .attribute(.uri)
            let collation = isText ? " COLLATE \(SQLNames.collation(of: key.textOrder))" : ""
            terms.append("\(keys[place].alias)\(collation)\(key.isAscending ? "" : " DESC")")
        }
        terms.append("min(\(Self.rowAlias).\(SystemTables.keyColumn))")
        return " ORDER BY " + terms.joined(separator: ", ")
    }
}

/// A column of a SELECT of groups.
struct GroupColumn: Hashable {
    let place: Int
    var reading: Reading
    /// The column with the number of the object's entity, where there is one.
    var numberPlace: Int?
    /// NULL says that 64 bits do not suffice.
    var isNeverNull = false

    enum Reading: Hashable {
        case attribute(AttributeType)
        case number
        /// A key of the entity with this space, unless the number says another.
        case reference(IDSpace)
    }

    init(place: Int, reading: Reading) {
        self.place = place
        self.reading = reading
    }

    /// No column of a file has such a name.
    var alias: SQLText { "k\(place)" }
}
