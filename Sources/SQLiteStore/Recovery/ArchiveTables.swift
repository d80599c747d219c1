import ObjectGraph
import StoreSQL

/// Our own tables in a file, and the columns of its other tables. Read again in every transaction that needs them,
/// because other processes create and drop these tables, too.
struct ArchiveTables {
    private typealias Copy = RecoveryTables.Copy
    private let tables: FileTables

    init(_ connection: Connection) throws { tables = try FileTables(connection) }

    /// Whether there are archived deletions.
    var exist: Bool { tables.table(RecoveryTables.Delete.table) != nil }

    func hasCopy(of table: String) -> Bool { tables.table(Copy.table(of: table)) != nil }

    /// The tables that have copies, in a fixed order.
    var copied: [String] {
        tables.all.compactMap { Copy.original(of: $0.name) }.sorted { $0.precedesByBytes($1) }
    }

    /// Returns all columns of a table, including those that the model does not have.
    func columns(of table: String) -> [String] { tables.table(table)?.columns ?? [] }

    /// Returns the columns that a table and its copy have in common.
    func sharedColumns(of table: String) -> [String] {
        let copy = tables.table(Copy.table(of: table))
        return columns(of: table).filter { copy?.column($0) != nil }
    }

    // MARK: Making and dropping

    func makeTables(_ connection: Connection) throws {
        guard !exist else { return }
        for statement in RecoveryTables.createStatements { try connection.execute(statement) }
    }

    /// Creates the table for copies, or adds the columns that the original has gained since.
    func makeCopy(of table: String, key: [String], _ connection: Connection) throws {
        let columns = columns(of: table)
        guard let copy = tables.table(Copy.table(of: table)) else {
            return try connection.execute(Copy.createStatement(table, columns: columns, key: key))
        }
        for column in columns where copy.column(column) == nil {
            try connection.execute("ALTER TABLE \(copy.quotedName) ADD COLUMN \(SchemaText.quoted(column))")
        }
    }

    /// Drops a new copy that received no rows, unless it has rows from before.
    func dropNewCopy(of table: String, _ connection: Connection) throws {
        let name = Copy.name(of: table)
        if !hasCopy(of: table), try isEmpty(name, connection) { try drop(name, connection) }
    }

    /// Drops empty copies.
    func dropEmpty(_ connection: Connection) throws {
        for table in copied where try isEmpty(Copy.name(of: table), connection) {
            try drop(Copy.name(of: table), connection)
        }
    }

    private func dropAll(_ connection: Connection) throws {
        for table in copied.reversed() { try drop(Copy.name(of: table), connection) }
        for table in RecoveryTables.tables.reversed() { try drop(table, connection) }
    }

    private func isEmpty(_ table: String, _ connection: Connection) throws -> Bool {
        try connection.withStatement("SELECT 1 FROM \(table) LIMIT 1") { try !$0.step() }
    }

    private func drop(_ table: String, _ connection: Connection) throws {
        try connection.execute("DROP TABLE \(table)")
    }

    /// Discards these deletions with their copies, links and files; drops all our tables with the last deletion.
    func remove(_ numbers: KeySet, _ connection: Connection) throws {
        let others: SQLText =
            """
            SELECT 1 FROM \(RecoveryTables.Delete.table) \
            WHERE \(RecoveryTables.Delete.number) NOT IN \(.listed(numbers)) LIMIT 1
            """
        // If there are no other deletions, dropping the tables is enough.
        if try connection.withStatement(others, { try !$0.step() }) { return try dropAll(connection) }
        let copies = copied.map(Copy.name(of:))
        for table in copies + [RecoveryTables.Link.table, RecoveryTables.File.table] {
            try connection.run(
                "DELETE FROM \(table) WHERE \(RecoveryTables.number) IN \(.listed(numbers))")
        }
        try connection.run(
            "DELETE FROM \(RecoveryTables.Delete.table) WHERE \(RecoveryTables.Delete.number) IN \(.listed(numbers))")
        try dropEmpty(connection)
    }
}

extension FileTables.Table {
    fileprivate var quotedName: String { SchemaText.quoted(name) }
}
