import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL

/// Facts about a file and its metadata, even if it cannot be opened as a store.
package struct StoreFileFacts: Sendable {
    /// The page size in bytes.
    package var pageSize: Int64 = 0
    package var pageCount = 0
    /// The number of unused pages.
    package var freePageCount = 0
    package var autoVacuum = AutoVacuum.none
    package var encoding = ""
    /// `nil` for a database that is not a store.
    package var metadata: StoreMetadata?
    package var metadataError: String?
    package var model: Model?
    /// A model derived from the file's tables, if the file has no usable model.
    package var tableModel: Model?
    /// The reason why there is no model.
    package var modelError: String?
    /// The size of the model cache as stored in the file, in bytes.
    package var modelCacheSize = 0
    package var keyRows: [PrimaryKeyRow] = []
    /// Whether the file lists the numbers of its entities. Without them it cannot be written.
    package var numbersEntities: Bool { keyRows.contains(where: \.isOfModel) }
    package var history = History.none
    /// Whether the file records history.
    package var recordsHistory: Bool { history != .none }
    /// The names of tables that belong neither to an entity nor to bookkeeping: made by other tools and CloudKit mirroring.
    package var otherTables: [String] = []
    /// Foreign triggers of all tables.
    package var foreignTriggers: [ForeignTrigger] = []

    package enum AutoVacuum: String, Sendable { case none, full, incremental }

    package enum History: Sendable, Hashable {
        case none
        /// - Parameters:
        /// - oldest: `nil` if there is no transaction, or none is left.
        /// - first: Seconds since 2001-01-01 UTC.
        case recorded(transactions: Int, changes: Int, oldest: Int64?, newest: Int64, first: Double?, last: Double?)
    }

    /// - Throws: `SQLiteError` if nothing can be read. Other faults are part of the facts.
    package init(_ connection: Connection) throws {
        func number(_ pragma: String) throws -> Int64 {
            try connection.withStatement("PRAGMA \(pragma)") { try $0.step() ? $0.integer(at: 0) : 0 }
        }
        pageSize = try number("page_size")
        pageCount = Int(try number("page_count"))
        freePageCount = Int(try number("freelist_count"))
        autoVacuum = [.none, .full, .incremental].element(Int(try number("auto_vacuum"))) ?? .none
        encoding = try connection.withStatement("PRAGMA encoding") { try $0.step() ? $0.text(at: 0) : "" }
        let tables = try FileTables(connection)
        try read(tables, connection)
    }

    private mutating func read(_ tables: FileTables, _ connection: Connection) throws {
        guard tables.table(SystemTables.Metadata.table) != nil, tables.table(SystemTables.PrimaryKey.table) != nil
        else {
            return
        }
        do {
            metadata = try StoreMetadata(connection)
        } catch let error as StoreMetadataError {
            metadataError = error.description
        }
        do {
            model = try ModelCache.model(connection)
            if model == nil { modelError = "The file carries no model." }
        } catch let error as ArchivedModelError {
            modelError = error.description
        }
        modelCacheSize = try ModelCache.content(connection)?.count ?? 0
        keyRows = try PrimaryKeyTable.rows(connection)
        if model == nil { tableModel = try TableModel.model(keyRows, connection) }
        foreignTriggers = try FileSchema.foreignTriggers(connection)
        if tables.hasHistory { try readHistory(connection) }
        otherTables = try Self.otherTables(model, keyRows, tables)
    }

    private mutating func readHistory(_ connection: Connection) throws {
        typealias Change = HistoryTables.Change
        typealias Transaction = HistoryTables.Transaction
        let bounds = try HistoryReader.range(connection)
        let sql =
            "SELECT (SELECT count(*) FROM \(Transaction.table)), (SELECT count(*) FROM \(Change.table)), "
            + "(SELECT min(\(Transaction.timestamp)) FROM \(Transaction.table)), "
            + "(SELECT max(\(Transaction.timestamp)) FROM \(Transaction.table))"
        try connection.withStatement(sql) { statement in
            guard try statement.step() else { return }
            history = .recorded(
                transactions: Int(statement.integer(at: 0)), changes: Int(statement.integer(at: 1)),
                oldest: bounds.oldest, newest: bounds.newest, first: statement.optionalReal(at: 2),
                last: statement.optionalReal(at: 3))
        }
    }

    private static func otherTables(_ model: Model?, _ rows: [PrimaryKeyRow], _ tables: FileTables) throws -> [String] {
        guard let model, let map = try? StorageMap(model).adjusted(to: tables, rows: rows) else { return [] }
        let known = Set((map.entityTables + map.joinColumns.map(\.table)).map { $0.uppercased() })
        return tables.all.map(\.name).filter { !known.contains($0.uppercased()) && !SystemTables.isKnown($0) }
    }
}
