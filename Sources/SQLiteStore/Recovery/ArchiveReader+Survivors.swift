import ObjectGraph
import StoreSQL

/// Links between survivors and restored rows.
extension ArchiveReader {
    var links: [ArchivedLinks] { archive.links }

    func name(of links: ArchivedLinks) -> String? { links.relationship?.name ?? links.columns?.name.relationship }
    func isList(_ links: ArchivedLinks) -> Bool { links.columns == nil }

    func survivors(of links: ArchivedLinks, without out: RowSet) throws -> [Survivors] {
        let (free, ended) = reference(links.columns, out)
        let sql: SQLText =
            """
            SELECT l.\(Link.key), \(isGone(links)), \(free), \(ended) FROM \(Link.table) l LEFT JOIN \(links.table) t \
            ON t.\(SystemTables.keyColumn) = l.\(Link.key) WHERE \(links.condition)
            """
        var (back, gone, relinked, endless): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
        try connection.withStatement(sql) { statement in
            while try statement.step() {
                let key = statement.integer(at: 0)
                if statement.integer(at: 1) == 1 {
                    gone.append(key)
                } else if statement.integer(at: 2) == 0 {
                    relinked.append(key)
                } else if statement.integer(at: 3) == 0 {
                    endless.append(key)
                } else {
                    back.append(key)
                }
            }
        }
        let found: [(RestoreConflict.Reason?, [Int64])] = [
            (nil, back), (.survivorMissing, gone), (.survivorRefersElsewhere, relinked),
            (.destinationRowMissing(.optional), endless),
        ]
        return found.map { ($0, archive.set(KeySet($1), of: links)) }
    }

    func owners(regaining list: ArchivedLinks, _ check: RestoreCheck<ArchiveReader>) throws -> RowSet {
        archive.set(try ownerKeys(regaining: list, check), of: list)
    }

    private func ownerKeys(regaining links: ArchivedLinks, _ check: RestoreCheck<ArchiveReader>) throws -> KeySet {
        guard let relationship = links.relationship,
            let storage = archive.map.entities[links.entityIndex].toMany.element(relationship.index) ?? nil
        else { return KeySet() }
        switch storage {
        case .foreignKey(let table, let column, _, _, _): return try owners(table, column, check)
        case .joinTable(let name, let owner, let member, _):
            guard let join = archive.joins.first(where: { $0.table == name }) else { return KeySet() }
            let found = try owners(join, owner, check.out)
            // If a relationship is its own inverse, its rows may be in either column.
            return archive.map.model.isOwnInverse(relationship)
                ? found.union(try owners(join, member, check.out)) : found
        }
    }

    /// Returns the destinations of the keys of restored members, and of survivors that regain their key.
    private func owners(
        _ table: String, _ column: String, _ check: RestoreCheck<ArchiveReader>
    ) throws -> KeySet {
        var found = KeySet()
        if archive.tables.hasCopy(of: table) {
            let without = check.without.filter { $0.key.table == table && $0.key.columns.key == column }.values
            let out = archive.keys(table, among: without.reduce(check.out) { $0.union($1) })
            found = try keys(
                """
                SELECT DISTINCT \(column) FROM \(Copy.name(of: table)) WHERE \(RecoveryTables.number) IN \
                \(.listed(archive.numbers)) AND \(column) NOT NULL AND NOT \(.isAmong(out, SystemTables.keyColumn))
                """)
        }
        for (links, back) in zip(archive.links, check.relinked)
        where links.table == table && links.columns?.key == column {
            found.formUnion(
                try keys(
                    """
                    SELECT DISTINCT l.\(Link.target) FROM \(Link.table) l \
                    WHERE \(links.condition) AND l.\(Link.target) NOT NULL \
                    AND \(.isAmong(back[archive.space(of: links)], "l.\(Link.key)"))
                    """))
        }
        return found
    }

    private func owners(_ join: JoinColumns, _ column: String, _ out: RowSet) throws -> KeySet {
        let owner = exists("k.\(join.owner)", join.ownerTable, without: out)
        let member = exists("k.\(join.member)", join.memberTable, without: out)
        return try keys(
            """
            SELECT DISTINCT k.\(column) FROM \(Copy.name(of: join.table)) k WHERE \(RecoveryTables.number) IN \
            \(.listed(archive.numbers)) AND \(owner) AND \(member)
            """)
    }

    private func keys(_ sql: SQLText) throws -> KeySet {
        try connection.withStatement(sql) { statement in
            var found: [Int64] = []
            while try statement.step() { found.append(statement.integer(at: 0)) }
            return KeySet(found)
        }
    }

    private func isGone(_ links: ArchivedLinks) -> SQLText {
        "t.\(SystemTables.keyColumn) IS NULL AND NOT \(.isAmong(archive.keys(links.table), "l.\(Link.key)"))"
    }

    /// Conditions for whether the reference is still cleared or has its former value again, and whether its destination
    /// exists.
    private func reference(_ columns: KeyColumns?, _ out: RowSet) -> (free: SQLText, ended: SQLText) {
        guard let columns else { return ("1", "1") }
        let target = columns.destinationTable
        return (
            "coalesce(t.\(columns.key) = l.\(Link.target), 1)",
            exists("l.\(Link.target)", target, without: out)
        )
    }
}
