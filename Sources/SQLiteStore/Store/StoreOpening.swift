import AppleFormats
import Foundation
import ObjectGraph
import StoreSQL

/// Creates a new store or opens an existing one. An existing file is checked through a read-only connection first, and
/// opened for writing only if it matches the model.
struct StoreOpening {
    let model: Model
    let location: Connection.Location
    let isReadOnly: Bool
    let options: SQLiteStore.Options

    struct Opened {
        let identifier: String
        let map: StorageMap
        let tables: FileTables
        /// Warnings about an existing file; a file created here has its indexes.
        var warnings: [DeleteRuleWarning] = []
        /// Set for a store in a file.
        var modelGuard: ModelGuard?
        /// The number of the newest transaction in the file's history; 0 if there is none.
        var newestTransaction: Int64 = 0
        /// Whether the file lists the numbers of its entities. Without them it can be read with the numbers of a new
        /// file, but must not be written, because that would make the guess permanent.
        var isNumbered = true
        /// Statements that make the writing connection's triggers for derived attributes.
        var derivationStatements: [String] = []
        /// `nil` for a read-only store.
        let writer: Connection?
    }

    func open() throws -> Opened {
        guard case .file(let url) = location else { return try create() }
        guard try isPresent(url) else {
            if isReadOnly { throw StoreOpeningError.noFile(url.path) }
            return try create()
        }
        return try openExisting()
    }

    /// The valid entity numbers. Tables are indexed by them, so a damaged file must not make these tables huge.
    private static let usableNumbers = 1...65_535

    // MARK: Existing files

    private func openExisting() throws -> Opened {
        let checked = try check()
        guard let checked else { return try create() }
        let isRead = isReadOnly || forbidsWriting(checked.tables)
        if !isRead, !checked.isNumbered { throw StoreOpeningError.noEntityNumbers }
        let writer = isRead ? nil : try connection(.readWrite)
        writer?.willWrite = checked.modelGuard?.check
        return Opened(
            identifier: checked.identifier, map: checked.map, tables: try withHistory(checked.tables, writer),
            warnings: checked.warnings, newestTransaction: checked.newestTransaction,
            derivationStatements: checked.derivationStatements, writer: writer)
    }

    private func forbidsWriting(_ tables: FileTables) -> Bool {
        options.existingHistory == .openedReadOnly && tables.hasHistory
    }

    private func withHistory(_ tables: FileTables, _ writer: Connection?) throws -> FileTables {
        guard options.existingHistory == .begun, let writer, !tables.hasHistory else { return tables }
        return try HistoryBeginning(model: model).begin(writer)
    }

    /// - Returns: `nil` for a database without tables, which is treated as a new one.
    private func check() throws -> Opened? {
        let connection = try connection(options.readAccess)
        return try connection.inTransaction(.reading) {
            let tables = try FileTables(connection)
            if tables.isEmpty, !isReadOnly { return nil }
            guard tables.table(SystemTables.Metadata.table) != nil,
                tables.table(SystemTables.PrimaryKey.table) != nil
            else { throw StoreOpeningError.notAStore }
            let metadata = try StoreMetadata(connection)
            if options.hashes == .mustAgree {
                try StoreCompatibility.check(model, metadata) { try? ModelCache.model(connection) }
            }
            let rows = try PrimaryKeyTable.rows(connection)
            let map = try StorageMap(model).adjusted(to: tables, rows: rows)
            for number in map.entities.map(\.entityNumber) where !Self.usableNumbers.contains(number) {
                throw StoreOpeningError.unusableEntityNumber(number)
            }
            return Opened(
                identifier: metadata.uuid, map: map, tables: tables,
                warnings: try KeyIndexCheck.warnings(map, connection),
                modelGuard: try ModelGuard(connection, metadata, rows),
                newestTransaction: tables.hasHistory ? try HistoryReader.range(connection).newest : 0,
                isNumbered: rows.contains(where: \.isOfModel) || model.entities.isEmpty,
                derivationStatements: try derivationStatements(map, connection), writer: nil)
        }
    }

    /// - Throws: `DerivationError` if the file is to be written and an attribute cannot be computed.
    private func derivationStatements(_ map: StorageMap, _ connection: Connection) throws -> [String] {
        let derived = DerivedAttributes(map)
        if derived.isEmpty { return [] }
        let triggers = try FileSchema.triggerNames(connection)
        if options.derivations == .mustBeComputed, !isReadOnly,
            let failure = derived.failures(besides: triggers, model).first
        {
            throw failure
        }
        return derived.connectionStatements(besides: triggers)
    }

    /// SQLite treats some files shorter than a page as new; their content would be lost.
    private func isPresent(_ url: URL) throws -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return false }
        guard !isFolder.boolValue else { throw StoreOpeningError.folder(url.path) }
        let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
        let bytes = size?.int64Value ?? 0
        guard bytes == 0 || bytes >= Self.smallestPage else { throw StoreOpeningError.tooShort(url.path) }
        return isReadOnly || bytes != 0
    }

    /// The minimum page size in bytes.
    private static let smallestPage: Int64 = 512

    private func connection(_ access: Connection.Access) throws -> Connection {
        do {
            let connection = try Connection(location, access: access)
            connection.busyTimeout = options.busyTimeout
            return connection
        } catch let error as SQLiteError where error.isCannotOpen {
            guard case .file(let url) = location else { throw error }
            throw StoreOpeningError.cannotOpen(url.path)
        }
    }

    // MARK: New files

    /// Two processes may create the same file at once; the second one finds it complete.
    private func create() throws -> Opened {
        let map = StorageMap(model)
        if options.derivations == .mustBeComputed, let failure = DerivedAttributes(map).failures.first { throw failure }
        let writer = try connection(.create)
        try writer.configureNewFile()
        let metadata = StoreMetadata(model)
        let modelGuard = try writer.inTransaction(.immediate) { () -> ModelGuard? in
            guard try FileTables(writer).isEmpty else { return nil }
            for statement in SchemaLayout(model).schemaStatements(options.history) { try writer.execute(statement) }
            try PrimaryKeyTable.insert(PrimaryKeyTable.initialRows(model), writer)
            try metadata.write(writer)
            try ModelCache.write(model, writer)
            return try ModelGuard(writer, metadata, PrimaryKeyTable.rows(writer))
        }
        guard let modelGuard else { return try openExisting() }
        // A store in memory is invisible to other connections.
        if case .file = location { writer.willWrite = modelGuard.check }
        return Opened(
            identifier: metadata.uuid, map: map, tables: try FileTables(writer),
            derivationStatements: try derivationStatements(map, writer), writer: writer)
    }
}
