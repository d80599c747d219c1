import ObjectGraph
import StoreSQL

/// The size of an archived deletion. It is stored with the deletion when it is archived, and updated when a part is restored.
struct ArchiveCounts {
    private typealias Delete = RecoveryTables.Delete
    private typealias Link = RecoveryTables.Link
    private typealias Copy = RecoveryTables.Copy

    let map: StorageMap
    let externalData: ExternalData?

    func note(_ number: Int64, _ tables: ArchiveTables, _ connection: Connection) throws {
        var (rowCount, linkCount, byteCount): (Int64, Int64, Int64) = (0, 0, 0)
        for table in tables.copied {
            let isEntity = map.rootEntity(ofTable: table) != nil
            let (count, bytes) = try size(ofCopy: table, number, tables, connection)
            if isEntity { rowCount += count } else { linkCount += count }
            byteCount += bytes
        }
        let links = try cleared(number, connection)
        linkCount += links
        byteCount += links * Self.linkBytes
        if let externalData {
            for file in try ArchivedFile.files(of: KeySet([number]), connection) {
                byteCount += externalData.size(of: file.name) ?? 0
            }
        }
        try connection.run(
            """
            UPDATE \(Delete.table) SET \(Delete.rowCount) = \(.integer(rowCount)), \
            \(Delete.linkCount) = \(.integer(linkCount)), \(Delete.byteCount) = \(.integer(byteCount)) \
            WHERE \(Delete.number) = \(.integer(number))
            """)
    }

    /// The size of a survivor's key, the key of its former destination, and its version.
    private static let linkBytes: Int64 = 24
    private static let smallBytes = 8

    /// Estimates a fixed size for numbers and keys, and measures everything else.
    private func size(
        ofCopy table: String, _ number: Int64, _ tables: ArchiveTables, _ connection: Connection
    ) throws -> (count: Int64, bytes: Int64) {
        let columns = tables.sharedColumns(of: table)
        let small = map.rootEntity(ofTable: table) == nil ? Set(columns) : map.smallColumns(ofTable: table)
        let measured = columns.filter { !small.contains($0) }.map {
            "coalesce(length(CAST(\(SchemaText.quoted($0)) AS BLOB)), 0)"
        }
        let sum = measured.isEmpty ? "0" : "coalesce(sum(\(measured.joined(separator: " + "))), 0)"
        let sql: SQLText =
            """
            SELECT count(*), \(sum) FROM \(Copy.name(of: table)) \
            WHERE \(RecoveryTables.number) = \(.integer(number))
            """
        return try connection.withStatement(sql) { statement in
            guard try statement.step() else { return (0, 0) }
            let count = statement.integer(at: 0)
            let smallCount = columns.count - measured.count
            return (count, statement.integer(at: 1) + count * Int64(smallCount * Self.smallBytes))
        }
    }

    private func cleared(_ number: Int64, _ connection: Connection) throws -> Int64 {
        let sql: SQLText =
            """
            SELECT count(*) FROM \(Link.table) WHERE \(RecoveryTables.number) = \(.integer(number)) \
            AND \(Link.column) <> ''
            """
        return try connection.withStatement(sql) { try $0.step() ? $0.integer(at: 0) : 0 }
    }
}
