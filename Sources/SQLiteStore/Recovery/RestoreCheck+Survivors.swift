import ObjectGraph
import StoreSQL

/// Decides which links between survivors and restored rows are restored.
extension RestoreCheck {
    func checkLinks(_ outcome: inout Outcome) throws {
        let all = try archive.links.map { try survivors(of: $0, outcome) }
        for (links, found) in zip(archive.links, all) {
            var survivors = found.outcome
            if links.columns == nil {
                survivors.back = survivors.back.intersection(try owners(regaining: links, outcome, all))
            }
            outcome.links.append(survivors)
            let name = links.relationship?.name ?? links.columns?.name.relationship
            let reasons: [(RestoreConflict.Reason, KeySet)] = [
                (.survivorMissing, found.gone), (.survivorRefersElsewhere, found.relinked),
                (.destinationRowMissing(.optional), found.endless),
            ]
            for (reason, keys) in reasons where !keys.isEmpty && links.columns != nil {
                outcome.conflicts.append(conflict(reason, links.entityIndex, name, keys))
            }
        }
    }

    private struct Survivors {
        var outcome = LinkOutcome()
        var gone = KeySet()
        var relinked = KeySet()
        /// Survivors whose destination is not restored.
        var endless = KeySet()
    }

    private func survivors(of links: ArchivedLinks, _ outcome: Outcome) throws -> Survivors {
        let (free, ended) = reference(links.columns, outcome)
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
        var found = Survivors(gone: KeySet(gone), relinked: KeySet(relinked), endless: KeySet(endless))
        found.outcome = LinkOutcome(back: KeySet(back))
        return found
    }

    /// Returns the rows whose to-many relationship regains members.
    private func owners(regaining links: ArchivedLinks, _ outcome: Outcome, _ all: [Survivors]) throws -> KeySet {
        guard let relationship = links.relationship,
            let storage = archive.map.entities[links.entityIndex].toMany.element(relationship.index) ?? nil
        else { return KeySet() }
        switch storage {
        case .foreignKey(let table, let column, _, _, _): return try owners(table, column, outcome, all)
        case .joinTable(let name, let owner, let member, _):
            guard let join = archive.joins.first(where: { $0.table == name }) else { return KeySet() }
            let found = try owners(join, owner, outcome)
            // If a relationship is its own inverse, its rows may be in either column.
            return archive.map.model.isOwnInverse(relationship) ? found.union(try owners(join, member, outcome)) : found
        }
    }

    /// Returns the destinations of the keys of restored members, and of survivors that regain their key.
    private func owners(
        _ table: String, _ column: String, _ outcome: Outcome, _ all: [Survivors]
    ) throws -> KeySet {
        var found = KeySet()
        if archive.tables.hasCopy(of: table) {
            let out = outcome.out(table).union(outcome.without[table]?[column] ?? KeySet())
            found = try keys(
                """
                SELECT DISTINCT \(column) FROM \(Copy.name(of: table)) WHERE \(RecoveryTables.number) IN \
                \(.listed(archive.numbers)) AND \(column) NOT NULL AND NOT \(.isAmong(out, SystemTables.keyColumn))
                """)
        }
        for (links, survivors) in zip(archive.links, all) where links.table == table && links.columns?.key == column {
            found.formUnion(
                try keys(
                    """
                    SELECT DISTINCT l.\(Link.target) FROM \(Link.table) l \
                    WHERE \(links.condition) AND l.\(Link.target) NOT NULL \
                    AND \(.isAmong(survivors.outcome.back, "l.\(Link.key)"))
                    """))
        }
        return found
    }

    private func owners(_ join: JoinColumns, _ column: String, _ outcome: Outcome) throws -> KeySet {
        let owner = archive.existsTest("k.\(join.owner)", join.ownerTable, out: outcome.out(join.ownerTable))
        let member = archive.existsTest("k.\(join.member)", join.memberTable, out: outcome.out(join.memberTable))
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
    private func reference(_ columns: KeyColumns?, _ outcome: Outcome) -> (free: SQLText, ended: SQLText) {
        guard let columns else { return ("1", "1") }
        let target = columns.destinationTable
        return (
            "coalesce(t.\(columns.key) = l.\(Link.target), 1)",
            archive.existsTest("l.\(Link.target)", target, out: outcome.out(target))
        )
    }
}
