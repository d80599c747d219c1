import ObjectGraph

/// Plans a repair from the state that the checker's connection reads. Writes nothing.
struct RepairPlanner {
    let checker: StoreChecker
    /// Whether another store may use the same folder of large values.
    let sharesFolder: Bool

    private var layout: CheckLayout { checker.layout }

    /// - Throws: `SQLiteError`, `ExternalDataError`.
    func plan() throws -> StoreRepairPlan {
        if let damage = try checker.damage() {
            return StoreRepairPlan(
                steps: [], unrepairable: [UnrepairableFinding(finding: damage, reason: .fileDamaged)])
        }
        let links = try LinkRepair(checker)
        var steps = try counters()
        steps += try keys(links)
        steps += try orders(without: links.deleted)
        steps += try members(without: links.deleted)
        steps += try joinRows()
        steps += try derivations(without: links.deleted)
        steps += deletions(links)
        steps += try files(without: links.deleted)
        return StoreRepairPlan(steps: steps, unrepairable: try unrepairable(links))
    }

    /// Orders rows of one table.
    private func byKey(_ left: ObjectID, _ right: ObjectID) -> Bool { left.key < right.key }

    // MARK: Steps

    private func counters() throws -> [StoreRepairStep] {
        try checker.lowCounterList().map {
            StoreRepairStep(
                entity: $0.entity, property: nil, action: .raiseCounter(number: $0.number, to: $0.highest))
        }
    }

    private func keys(_ links: LinkRepair) throws -> [StoreRepairStep] {
        let cleared = Dictionary(grouping: links.cleared, by: \.key)
        let completed = Dictionary(grouping: links.completed.keys, by: \.key)
        return try layout.keys.enumerated().flatMap { position, key -> [StoreRepairStep] in
            let gone = (cleared[position] ?? []).map(\.row).sorted(by: byKey)
            let back = (completed[position] ?? []).sorted { $0.row.key < $1.row.key }.compactMap { place in
                links.completed[place].map { StoreRepairStep.Link(row: place.row, destination: $0) }
            }
            let handled = links.deleted.union(gone).union(back.map(\.row))
            let renamed = try key.misnames.map {
                try checker.rows(table: key.table, where: $0, key.entity).filter { !handled.contains($0) }
            }
            return [
                step(key, gone, StoreRepairStep.Action.clearKeys),
                step(key, renamed ?? [], StoreRepairStep.Action.renameDestinations),
                step(key, back, StoreRepairStep.Action.completeLinks),
            ].compactMap { $0 }
        }
    }

    private func step<Item>(
        _ key: StoredKey, _ items: [Item], _ action: ([Item]) -> StoreRepairStep.Action
    ) -> StoreRepairStep? {
        items.isEmpty
            ? nil : StoreRepairStep(entity: key.entity.name, property: key.property, action: action(items))
    }

    private func members(without deleted: Set<ObjectID>) throws -> [StoreRepairStep] {
        try layout.members.filter(\.mayBeCompleted).compactMap { members -> StoreRepairStep? in
            guard let source = StoreChecker.withoutCounterpart(members) else { return nil }
            let back = try checker.connection.withStatement("\(source) ORDER BY m, o") { statement in
                var back: [StoreRepairStep.Link] = []
                while try statement.step() {
                    func row(_ column: Int) -> ObjectID {
                        checker.id(
                            key: statement.integer(at: column), number: statement.integer(at: column + 1),
                            members.entity)
                    }
                    let link = StoreRepairStep.Link(row: row(2), destination: row(0))
                    if deleted.isDisjoint(with: [link.row, link.destination]) { back.append(link) }
                }
                return back
            }
            if back.isEmpty { return nil }
            return StoreRepairStep(
                entity: members.entity.name, property: members.relationship.name, action: .addMembers(back))
        }
    }

    private func joinRows() throws -> [StoreRepairStep] {
        try layout.joins.compactMap { join -> StoreRepairStep? in
            let rows = try checker.strayRows(of: join).map { row in
                let side = row.ends.firstIndex { $0 != nil }
                return StoreRepairStep.JoinRow(
                    rowID: row.rowID, survivor: row.survivors.first,
                    relationshipIndex: side.flatMap { join.ends[$0].relationshipIndex })
            }
            if rows.isEmpty { return nil }
            return StoreRepairStep(
                entity: join.entity.name, property: join.relationship.name, action: .deleteJoinRows(rows))
        }
    }

    private func derivations(without deleted: Set<ObjectID>) throws -> [StoreRepairStep] {
        try checker.staleRows().compactMap { derived, rows -> StoreRepairStep? in
            let rows = rows.filter { !deleted.contains($0) }
            if rows.isEmpty { return nil }
            return StoreRepairStep(
                entity: derived.entity.name, property: derived.attribute.name, action: .recompute(rows))
        }
    }

    private func deletions(_ links: LinkRepair) -> [StoreRepairStep] {
        let reasons = links.reasonsOfDeletions
        return Dictionary(grouping: links.deleted, by: \.entityName).sorted { $0.key < $1.key }.map { entity, rows in
            let keys = Set(rows.flatMap { reasons[$0] ?? [] }).sorted()
            return StoreRepairStep(
                entity: entity, property: keys.map { layout.keys[$0].property }.joined(separator: ", "),
                action: .deleteRows(rows.sorted(by: byKey)))
        }
    }

    private func files(without deleted: Set<ObjectID>) throws -> [StoreRepairStep] {
        if sharesFolder { return [] }
        let present = try (checker.externalData?.storedFileNames() ?? []).subtracting(
            ArchivedFile.allNames(checker.connection))
        if present.isEmpty { return [] }
        let used = try checker.fileColumns().flatMap(\.references).filter { !deleted.contains($0.row) }
        let orphans = present.subtracting(used.compactMap(\.name))
        if orphans.isEmpty { return [] }
        return [StoreRepairStep(entity: nil, property: nil, action: .removeFiles(orphans.sorted()))]
    }

    // MARK: Order

    /// Keeps the order in which members are read, including members without an order key.
    private func orders(without deleted: Set<ObjectID>) throws -> [StoreRepairStep] {
        try layout.members.filter(\.isOrdered).compactMap { members -> StoreRepairStep? in
            let places = try lists(members, without: deleted).flatMap { owner, list in
                OrderKeys.changes(order: list.order, existing: list.keys).map {
                    StoreRepairStep.Place(owner: owner, member: $0.member, key: $0.key)
                }
            }
            if places.isEmpty { return nil }
            return StoreRepairStep(
                entity: members.entity.name, property: members.relationship.name, action: .placeMembers(places))
        }
    }

    private struct MemberList {
        var order: [Int64] = []
        var keys: [Int64: Int64] = [:]
    }

    /// Returns the members of owners whose order keys have faults.
    private func lists(
        _ members: StoredMembers, without deleted: Set<ObjectID>
    ) throws -> [(owner: ObjectID, list: MemberList)] {
        let faults = [StoreChecker.withoutOrderKey(members), StoreChecker.withEqualOrderKeys(members)]
        let sql =
            "SELECT o, f, m, e, k FROM (\(members.selection)) WHERE o IN "
            + "(\(faults.map { "SELECT o FROM (\($0))" }.joined(separator: " UNION "))) ORDER BY o, k, m"
        let destination = layout.map.model.destination(of: members.relationship)
        return try checker.connection.withStatement(sql) { statement in
            var lists: [(owner: ObjectID, list: MemberList)] = []
            while try statement.step() {
                let owner = checker.id(
                    key: statement.integer(at: 0), number: statement.integer(at: 1), members.entity)
                let member = checker.id(key: statement.integer(at: 2), number: statement.integer(at: 3), destination)
                if deleted.contains(member) || deleted.contains(owner) { continue }
                if lists.last?.owner != owner { lists.append((owner, MemberList())) }
                lists[lists.count - 1].list.order.append(member.key)
                if let key = statement.optionalInteger(at: 4) { lists[lists.count - 1].list.keys[member.key] = key }
            }
            return lists
        }
    }

    // MARK: Unrepairable findings

    private func unrepairable(_ links: LinkRepair) throws -> [UnrepairableFinding] {
        var rest = findings(links.unsolved, .halfSetInverse, .endsMandatory)
        rest += findings(links.remainingOrphans, .orphan, .rowInUse)
        rest += findings(links.remainingPermitted, .orphan, .rulesPermit, .warning)
        rest += try checker.missingValues.findings().map { UnrepairableFinding(finding: $0, reason: .valueUnknown) }
        rest += try checker.unfitValues.findings().map { UnrepairableFinding(finding: $0, reason: .valueUnfit) }
        rest += try checker.uniquenessFaults.findings().map {
            UnrepairableFinding(finding: $0, reason: $0.kind == .equalRows ? .rowsEqual : .indexMissing)
        }
        rest += try checker.unusableEntities.findings().map { UnrepairableFinding(finding: $0, reason: .entityUnknown) }
        let choices = checker.countFaults + checker.halfSetMembers { !$0.mayBeCompleted }
        rest += try choices.findings().map { UnrepairableFinding(finding: $0, reason: .choiceNeeded) }
        let files = try checker.fileFaults()
        rest += files.filter { $0.kind == .missingFile }.map { UnrepairableFinding(finding: $0, reason: .fileLost) }
        let orphans = files.filter { $0.kind == .orphanFile }
        if !orphans.isEmpty, sharesFolder {
            rest += orphans.map { UnrepairableFinding(finding: $0, reason: .folderShared) }
        }
        return rest
    }

    private func findings(
        _ places: Set<LinkRepair.Place>, _ kind: StoreFinding.Kind, _ reason: UnrepairableFinding.Reason,
        _ severity: StoreFinding.Severity = .error
    ) -> [UnrepairableFinding] {
        Dictionary(grouping: places, by: \.key).sorted { $0.key < $1.key }.map { position, places in
            let key = layout.keys[position]
            let finding = StoreFinding(
                kind, severity, entity: key.entity.name, property: key.property, count: places.count,
                examples: places.map(\.row).sorted(by: byKey))
            return UnrepairableFinding(finding: finding, reason: reason)
        }
    }
}
