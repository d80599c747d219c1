import ObjectGraph
import StoreSQL

extension StoreChecker {
    // MARK: Order

    /// Finds members of ordered relationships without an order key, or with the order key of another member.
    var orderFaults: [CheckTask] {
        layout.members.filter(\.isOrdered).map { members in
            CheckTask(members.memberTable) { try orderFaults(members) }
        }
    }

    private func orderFaults(_ members: StoredMembers) throws -> [StoreFinding] {
        try [
            (StoreFinding.Kind.missingOrderKey, Self.withoutOrderKey(members)),
            (.equalOrderKeys, Self.withEqualOrderKeys(members)),
        ].compactMap { kind, source -> StoreFinding? in
            let (count, examples) = try sample(
                "SELECT m, e, n FROM (SELECT m, e, count(*) OVER () AS n FROM (\(source))) GROUP BY m, e ORDER BY m",
                model.destination(of: members.relationship))
            if count == 0 { return nil }
            return StoreFinding(
                kind, .warning, entity: members.entity.name, property: members.relationship.name, count: count,
                examples: examples)
        }
    }

    static func withoutOrderKey(_ members: StoredMembers) -> String {
        "SELECT o, m, k, e FROM (\(members.selection)) WHERE k IS NULL"
    }

    static func withEqualOrderKeys(_ members: StoredMembers) -> String {
        "SELECT o, m, k, e FROM (SELECT o, m, k, e, row_number() OVER (PARTITION BY o, k ORDER BY m) AS n "
            + "FROM (\(members.selection)) WHERE k IS NOT NULL) WHERE n > 1"
    }

    // MARK: Relationships that are their own inverse

    /// Finds members that lack their owner as a member, in relationships that are their own inverse. Reported as a
    /// warning only: no file made by Apple's frameworks with such a relationship was available for comparison.
    func halfSetMembers(where isMeant: (StoredMembers) -> Bool = { _ in true }) -> [CheckTask] {
        layout.members.filter { $0.isOwnInverse && isMeant($0) }.map { members in
            CheckTask(members.ownerTable) { try halfSetMembers(members) }
        }
    }

    private func halfSetMembers(_ members: StoredMembers) throws -> [StoreFinding] {
        guard let source = Self.withoutCounterpart(members) else { return [] }
        let (count, examples) = try sample(
            "SELECT o, f, count(*) OVER () FROM (\(source)) GROUP BY o, f ORDER BY o", members.entity)
        if count == 0 { return [] }
        return [
            StoreFinding(
                .halfSetInverse, .warning, entity: members.entity.name, property: members.relationship.name,
                count: count, examples: examples)
        ]
    }

    /// - Returns: A SELECT of the links without their counterpart; `nil` for members that are stored by a key.
    static func withoutCounterpart(_ members: StoredMembers) -> String? {
        guard case .joinTable(let table, let owner, let member, _) = members.storage else { return nil }
        return "SELECT o, f, m, e FROM (\(members.selection)) WHERE NOT EXISTS "
            + "(SELECT 1 FROM \(table) b WHERE b.\(owner) = m AND b.\(member) = o)"
    }

    // MARK: Counts

    /// Finds to-many relationships with too few or too many members. As in a save, an optional relationship may be empty
    /// whatever its minimum count.
    var countFaults: [CheckTask] {
        layout.members.map { members in CheckTask(members.ownerTable) { try countFaults(members) } }
    }

    private func countFaults(_ members: StoredMembers) throws -> [StoreFinding] {
        let rule = members.relationship.relationship
        var findings: [StoreFinding?] = []
        if let refused = rule.refusedCounts {
            let some = refused.lowerBound > 0 ? " AND coalesce(c.n, 0) > 0" : ""
            findings.append(
                try countFault(.tooFewMembers, members, "coalesce(c.n, 0) < \(refused.upperBound)\(some)"))
        }
        if let most = rule.mostCount {
            findings.append(try countFault(.tooManyMembers, members, "c.n > \(most)"))
        }
        return findings.compactMap { $0 }
    }

    private func countFault(
        _ kind: StoreFinding.Kind, _ members: StoredMembers, _ condition: String
    ) throws -> StoreFinding? {
        let (primary, entity) = (SystemTables.keyColumn, SystemTables.entityColumn)
        let (count, examples) = try sample(
            "SELECT r.\(primary), r.\(entity), count(*) OVER () FROM \(members.ownerTable) r "
                + "LEFT JOIN (SELECT o, count(*) AS n FROM (\(members.selection)) GROUP BY o) c ON c.o = r.\(primary) "
                + "WHERE r.\(entity) IN \(SQLList(members.ownerNumbers)) AND \(condition) ORDER BY r.\(primary)",
            members.entity)
        guard count > 0 else { return nil }
        return StoreFinding(
            kind, .warning, entity: members.entity.name, property: members.relationship.name, count: count,
            examples: examples)
    }
}
