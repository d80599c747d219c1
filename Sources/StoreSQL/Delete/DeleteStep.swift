import ObjectGraph

/// One statement of a delete: a value, so that a plan can be printed before it is carried out.
package struct DeleteStep: Sendable, Hashable {
    package let text: SQLText
    /// The number of rows that the statement is meant for; `nil` if they are not counted.
    package let rowCount: Int?

    package init(_ text: SQLText, rowCount: Int?) {
        self.text = text
        self.rowCount = rowCount
    }

    /// The text with question marks in place of values.
    package var sql: String { text.description }
}

/// A condition that selects the rows of a key set by one column.
package struct KeyCondition {
    /// ` WHERE …`; empty for all rows.
    package let text: SQLText
    /// Written after the table.
    package let hint: String

    /// - Parameter isPart: Whether the set is a part of a larger one, so that the condition needs a key range.
    package init(
        _ column: String, _ keys: KeySet, _ strategy: DeleteStrategy, isPart: Bool = false, dialect: any Dialect
    ) {
        let name = dialect.name(column)
        switch strategy {
        case .lookUp:
            text = " WHERE \(dialect.isAmong(keys, SQLText(name), by: .lookUp))"
            hint = ""
        case .scan:
            let range = isPart ? " AND \(name) BETWEEN \(keys.first ?? 0) AND \(keys.last ?? 0)" : ""
            text = " WHERE \(dialect.isAmong(keys, SQLText(name), by: .scan))\(range)"
            hint = dialect.scanHint
        case .truncate:
            text = SQLText()
            hint = ""
        }
    }
}
