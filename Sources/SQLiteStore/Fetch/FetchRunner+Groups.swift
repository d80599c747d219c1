import ObjectGraph
import StoreSQL

extension FetchRunner {
    /// - Throws: `UntranslatableExpression`, also for a sum that overflows 64 bits; `CellError`, `SQLiteError`.
    func groups(_ query: GroupQuery, _ connection: Connection) throws -> [RowGroup] {
        try check(query.rows)
        let select = try builder.groups(query)
        return try connection.metered(query.rows.meter) {
            try connection.withStatement(select.text) { statement in
                var groups: [RowGroup] = []
                var pages = ReadPages(query.rows.meter)
                while try statement.step() {
                    try pages.addRow()
                    let group = RowGroup(
                        keys: try select.keys.map { try value($0, statement) },
                        results: try select.results.map { try value($0, statement) })
                    if query.having?.holds(for: group) ?? true { groups.append(group) }
                }
                try pages.end()
                return groups
            }
        }
    }

    private func value(_ column: GroupColumn, _ statement: Statement) throws -> Value {
        let cell = statement.cell(at: column.place)
        if column.isNeverNull, cell == .null { throw UntranslatableExpression("a sum beyond 64 bits") }
        switch (column.reading, cell) {
        case (.attribute(let type), _): return try ColumnCodec.value(of: cell, type)
        case (.reference(let declared), .integer(let key)):
            let space = column.numberPlace.flatMap { layouts.space(number: statement.integer(at: $0)) }
            return .reference(ObjectID(space: space ?? declared, key: key))
        case (.number, .integer(let integer)): return .integer(integer)
        case (.number, .real(let real)): return .real(real)
        default: return .null
        }
    }
}
