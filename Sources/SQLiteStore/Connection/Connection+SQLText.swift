import ObjectGraph
import StoreSQL

extension Connection {
    /// Lends the cached statement of a text, with all parameters bound.
    func withStatement<Result>(_ text: SQLText, _ body: (Statement) throws -> Result) throws -> Result {
        try withStatement(text.rendered(for: SQLiteDialect())) { statement in
            try statement.bind(text)
            return try body(statement)
        }
    }

    /// Runs a text that returns no rows, with a statement that is not cached.
    func runOnce(_ text: SQLText) throws {
        let statement = try prepare(text.rendered(for: SQLiteDialect()))
        try statement.bind(text)
        try statement.run()
    }

    /// Runs a text that returns no rows.
    func run(_ text: SQLText) throws {
        try withStatement(text) { try $0.run() }
    }
}

extension Statement {
    /// Binds all parameters of the text.
    fileprivate func bind(_ text: SQLText) throws {
        for (index, parameter) in text.parameters.enumerated() {
            switch parameter {
            case .parameter(let cell): try bind(cell, at: index + 1)
            case .list(let cells): try bind(ValueList(cells: cells), at: index + 1)
            case .keys(let keys): try bind(ValueList(keys.keys), at: index + 1)
            case .filter(let keys): try bind(KeyFilter(keys), at: index + 1)
            case .text: break
            }
        }
    }

    package func bind(_ cell: Cell, at index: Int) throws {
        switch cell {
        case .null: try bindNull(at: index)
        case .integer(let integer): try bind(integer, at: index)
        case .real(let real): try bind(real, at: index)
        case .text(let text): try bind(text, at: index)
        case .bytes(let data): try bind(data, at: index)
        }
    }

    func cell(at column: Int) -> Cell {
        switch kind(at: column) {
        case .null: .null
        case .integer: .integer(integer(at: column))
        case .real: .real(real(at: column))
        case .text: .text(text(at: column))
        case .blob: .bytes(bytes(at: column))
        }
    }
}
