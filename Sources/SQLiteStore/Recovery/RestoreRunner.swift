import ObjectGraph
import StoreSQL

/// Restores archived deletions within the caller's transaction.
struct RestoreRunner {
    private typealias Copy = RecoveryTables.Copy
    private typealias Link = RecoveryTables.Link
    private typealias File = RecoveryTables.File

    let number: Int64
    let check: RestoreCheck<ArchiveReader>

    private var archive: ArchivedRows { check.archive.archive }
    private var externalData: ExternalData? { check.archive.externalData }
    private var connection: Connection { check.archive.connection }
    private var map: StorageMap { archive.map }
    private var isComplete: Bool { check.conflicts.isEmpty }
    /// The survivors that regain each of the archive's links.
    private var relinked: [(links: ArchivedLinks, back: KeySet)] {
        zip(archive.links, check.relinked).map { ($0, $1[archive.space(of: $0)]) }
    }

    /// - Returns: The restored objects, without the number of a history transaction.
    func run(history: inout HistoryWriter?, keys: inout KeyAllocator) throws -> SavedRows {
        for table in archive.keys.keys.sorted() { try insertRows(of: table) }
        for join in archive.joins { try insertJoinRows(of: join) }
        for (links, back) in relinked { try restoreLinks(links, back) }
        try raiseVersions()
        let result = result
        try log(result, &history, &keys)
        if isComplete { try archive.tables.remove(KeySet([number]), connection) } else { try removeRestored() }
        return result
    }

    private var result: SavedRows {
        var result = SavedRows()
        result.restored = archive.all.subtracting(check.out)
        result.updated = check.relinked.reduce(RowSet()) { $0.union($1) }
        result.skipped = check.conflicts
        return result
    }

    // MARK: Rows

    /// A row that is restored without one of its references gets a new version.
    private func insertRows(of table: String) throws {
        let without = self.without(table)
        var changed: [String: SQLText] = [:]
        for (columns, rows) in without {
            for name in columns.names {
                changed[name] = "CASE WHEN \(.isAmong(rows, SystemTables.keyColumn)) THEN NULL ELSE \(name) END"
            }
        }
        if !without.isEmpty {
            let rows = without.reduce(KeySet()) { $0.union($1.rows) }
            changed[SystemTables.versionColumn] =
                """
                CASE WHEN \(.isAmong(rows, SystemTables.keyColumn)) THEN \(SystemTables.nextVersion) \
                ELSE \(SystemTables.storedVersion) END
                """
        }
        let columns = archive.tables.sharedColumns(of: table)
        let values = columns.map { changed[$0] ?? SQLText(SchemaText.quoted($0)) }.joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO \(table) (\(columns.map(SchemaText.quoted).joined(separator: ", "))) SELECT \(values) \
            FROM \(Copy.name(of: table)) WHERE \(RecoveryTables.number) = \(.integer(number)) \
            AND NOT \(.isAmong(archive.keys(table, among: check.out), SystemTables.keyColumn))
            """)
    }

    /// Returns the references that rows of a table are restored without.
    private func without(_ table: String) -> [(columns: KeyColumns, rows: KeySet)] {
        check.without.filter { $0.key.table == table }.map {
            (columns: $0.columns, rows: archive.keys(table, among: $1))
        }
        .sorted { $0.columns.key < $1.columns.key }
    }

    /// Inserts join rows. Call this when all rows exist.
    private func insertJoinRows(of join: JoinColumns) throws {
        let columns = archive.tables.sharedColumns(of: join.table).map(SchemaText.quoted).joined(separator: ", ")
        try connection.run(
            """
            INSERT OR IGNORE INTO \(join.table) (\(columns)) SELECT \(columns) FROM \(Copy.name(of: join.table)) k \
            WHERE \(RecoveryTables.number) = \(.integer(number)) AND \(canJoin(join))
            """)
    }

    private func canJoin(_ join: JoinColumns) -> SQLText {
        if isComplete { return "1" }
        let ends = [(join.owner, join.ownerTable), (join.member, join.memberTable)].map { column, table in
            "EXISTS (SELECT 1 FROM \(table) e WHERE e.\(SystemTables.keyColumn) = k.\(column))"
        }
        return "(k.\(Copy.dangling) OR \(ends.joined(separator: " AND ")))"
    }

    // MARK: Survivors

    private func restoreLinks(_ links: ArchivedLinks, _ back: KeySet) throws {
        guard let columns = links.columns, !back.isEmpty else { return }
        let sets = [
            "\(columns.key) = l.\(Link.target)", columns.entityNumber.map { "\($0) = l.\(Link.targetNumber)" },
            columns.order.map { "\($0) = l.\(Link.order)" },
        ].compactMap { $0 }
        try connection.run(
            """
            UPDATE \(links.table) SET \(sets.joined(separator: ", ")) FROM \(Link.table) l \
            WHERE \(links.condition) AND l.\(Link.key) = \(links.table).\(SystemTables.keyColumn) \
            AND \(.isAmong(back, "l.\(Link.key)"))
            """)
    }

    /// Survivors that regain a link get a new version, even if the row is now the same as before the deletion: the
    /// version in between stands for the row without the link, and other contexts may have read it.
    private func raiseVersions() throws {
        var raised: [Int: KeySet] = [:]
        for (links, back) in relinked { raised[links.entityIndex, default: KeySet()].formUnion(back) }
        for (entityIndex, rows) in raised.sorted(by: { $0.key < $1.key }) where !rows.isEmpty {
            try connection.run(
                """
                UPDATE \(map.entities[entityIndex].table) SET \(SystemTables.raisedVersion) \
                WHERE \(SystemTables.keyColumn) IN \(.listed(rows))
                """)
        }
    }

    // MARK: History

    private func log(
        _ result: SavedRows, _ history: inout HistoryWriter?, _ keys: inout KeyAllocator
    ) throws {
        guard history != nil else { return }
        for (space, rows) in result.restored.keysBySpace.sorted(by: { $0.key.number < $1.key.number }) {
            guard let entityIndex = archive.spaces.entityIndex(of: space) else { continue }
            try history?.inserted(entityIndex, rows: rows, &keys)
        }
        let links = relinked.compactMap { links, back in
            links.relationship.map {
                ClearedPart(space: archive.space(of: links), relationships: [$0.index], keys: back)
            }
        }
        for part in ClearedPart.parts(of: links) {
            guard let entityIndex = archive.spaces.entityIndex(of: part.space) else { continue }
            let relationships = part.relationships.compactMap { map.model[entityIndex].relationships.element($0) }
            try history?.updated(
                entityIndex, rows: part.keys, slots: relationships.compactMap(\.slot),
                toMany: relationships.filter { !$0.isToOne }.map(\.index), &keys)
        }
    }

    // MARK: Remaining archive

    /// Leaves the parts in the archive that were not restored, for a later restore. A reference that a row was restored
    /// without becomes a link to restore.
    private func removeRestored() throws {
        for (links, back) in relinked where links.columns != nil {
            try connection.run(
                """
                DELETE FROM \(Link.table) AS l WHERE \(links.condition) AND \(.isAmong(back, "l.\(Link.key)"))
                """)
        }
        try archiveMissingReferences()
        for join in archive.joins {
            try connection.run(
                """
                DELETE FROM \(Copy.name(of: join.table)) AS k WHERE \(RecoveryTables.number) = \
                \(.integer(number)) AND \(canJoin(join))
                """)
        }
        for table in archive.keys.keys.sorted() {
            let out = archive.keys(table, among: check.out)
            try connection.run(
                """
                DELETE FROM \(Copy.name(of: table)) WHERE \(RecoveryTables.number) = \(.integer(number)) \
                AND NOT \(.isAmong(out, SystemTables.keyColumn))
                """)
            try connection.run(
                """
                DELETE FROM \(File.table) WHERE \(RecoveryTables.number) = \(.integer(number)) \
                AND \(File.rowTable) = \(.text(table)) AND NOT \(.isAmong(out, File.key))
                """)
        }
        try ArchiveCounts(map: map, externalData: externalData).note(number, archive.tables, connection)
        try archive.tables.dropEmpty(connection)
    }

    private func archiveMissingReferences() throws {
        for table in archive.keys.keys.sorted() {
            for (columns, rows) in without(table) {
                let condition: SQLText =
                    """
                    \(RecoveryTables.number) = \(.integer(number)) \
                    AND \(SystemTables.keyColumn) IN \(.listed(rows))
                    """
                try connection.run(
                    LinkSource(table: table, columns: columns).insertion(
                        number, from: Copy.name(of: table), where: condition))
            }
        }
    }
}
