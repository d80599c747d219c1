import Foundation
import ObjectGraph
import StoreSQL

/// A column that the migration changes to allow external files for large values, or no longer to allow them. Its cells
/// are rewritten in the other format.
struct ExternalFlip: Sendable {
    let table: String
    let column: String
    /// The entity's number after the migration.
    let entityNumber: Int
    let direction: Direction

    enum Direction: Sendable, Hashable {
        case toFiles
        case toCells
    }

    static func all(_ source: MigrationSource) -> [ExternalFlip] {
        let new = StorageMap(source.layout)
        return source.mapping.entities.compactMap { $0 }.flatMap { mapping -> [ExternalFlip] in
            let (old, storage) = (source.map.entities[mapping.sourceIndex], new.entities[mapping.destinationIndex])
            return zip(storage.columns, mapping.slotOrigins).compactMap { column, origin in
                guard let column, let former = origin.flatMap({ old.columns.element($0) ?? nil }),
                    former.isExternal != column.isExternal
                else { return nil }
                return ExternalFlip(
                    table: storage.table, column: column.name, entityNumber: storage.entityNumber,
                    direction: column.isExternal ? .toFiles : .toCells)
            }
        }
    }

    /// Rewrites the cells.
    /// - Parameter made: Receives the names of written files, which must be removed if the transaction fails.
    /// - Throws: `ExternalDataError`, `SQLiteError`.
    func run(_ data: ExternalData, _ connection: Connection, made: inout [String]) throws {
        let row = SystemTables.keyColumn
        for key in try keys(connection) {
            let cell = try connection.withStatement("SELECT \(column) FROM \(table) WHERE \(row) = ?1") { statement in
                try statement.bind(key, at: 1)
                return try statement.step() ? statement.bytes(at: 0) : Data()
            }
            let changed = try converted(cell, data, &made)
            try connection.withStatement("UPDATE \(table) SET \(column) = ?2 WHERE \(row) = ?1") { statement in
                try statement.bind(key, at: 1)
                try statement.bind(changed, at: 2)
                try statement.run()
            }
        }
    }

    private func keys(_ connection: Connection) throws -> [Int64] {
        // Rows that did not have the attribute before already have its default in the new format.
        let sql =
            "SELECT \(SystemTables.keyColumn) FROM \(table) "
            + "WHERE \(SystemTables.entityColumn) = \(entityNumber) AND \(column) NOT NULL"
        return try connection.withStatement(sql) { statement in
            var keys: [Int64] = []
            while try statement.step() { keys.append(statement.integer(at: 0)) }
            return keys
        }
    }

    private func converted(_ cell: Data, _ data: ExternalData, _ made: inout [String]) throws -> Data {
        guard direction == .toFiles else { return try data.value(of: cell) }
        let (converted, file) = try data.cell(for: cell)
        if let file { made.append(file) }
        return converted
    }
}

/// The external files that rows refer to.
enum ReferredFiles {
    /// - Throws: `SQLiteError`.
    static func names(_ map: StorageMap, _ connection: Connection) throws -> Set<String> {
        var names: Set<String> = []
        for table in map.entityTables {
            for column in map.externalColumns(ofTable: table) {
                names.formUnion(try Self.names(table, column, connection))
            }
        }
        return names
    }

    /// Returns the files that archived deletions would restore.
    static func archivedFileNames(_ connection: Connection) throws -> Set<String> {
        typealias File = RecoveryTables.File
        guard try FileTables(connection).table(File.table) != nil else { return [] }
        return try names(File.table, File.cell, connection)
    }

    private static func names(_ table: String, _ column: String, _ connection: Connection) throws -> Set<String> {
        let sql =
            "SELECT \(column) FROM \(table) "
            + "WHERE typeof(\(column)) = 'blob' AND substr(\(column), 1, 1) = \(ExternalData.fileTagLiteral)"
        return try connection.withStatement(sql) { statement in
            var names: Set<String> = []
            while try statement.step() {
                if let name = ExternalData.fileName(in: statement.bytes(at: 0)) { names.insert(name) }
            }
            return names
        }
    }
}
