/// Applying one event to the rows held.
extension LiveResults {
    /// Applies the collected changes.
    /// - Returns: The difference to the former results; `nil` if there is none.
    /// - Throws: Errors of reading the store. The results then stay, and the next event fetches them again.
    func apply(_ sources: LinkSources) throws -> LiveDifference? {
        var work = Work()
        swap(&work, &self.work)
        work.renamed = missedRenamings + work.renamed
        do {
            isBehind = false
            let difference = try holdsRows ? apply(&work, sources) : applyToSummary(work)
            missedRenamings = []
            return difference
        } catch {
            missedRenamings = work.renamed
            isBehind = true
            throw error
        }
    }

    private func apply(_ work: inout Work, _ sources: LinkSources) throws -> LiveDifference? {
        if work.refetch == nil { try sources.climb(&work, dependencies) }
        if let reason = work.refetch { return try refetch(reason, renamed: work.renamed) }
        work.removeDuplicates()
        var change = HeldChange()
        try test(work, &change)
        return try apply(&change, renamed: work.renamed)
    }

    /// Discards an event whose changes could not be read.
    func fallBehind() {
        missedRenamings += work.renamed
        work = Work()
        isBehind = true
    }

    private func refetch(_ reason: LiveRefetch, renamed: [(former: ObjectID, id: ObjectID)]) throws -> LiveDifference? {
        totals == nil
            ? try refetch(reason, from: (ids, sectionKeys), renamed) : try refetchGroups(reason)
    }

    private func refetch(
        _ reason: LiveRefetch, from old: (ids: [ObjectID], sections: [ValueKey]),
        _ renamed: [(former: ObjectID, id: ObjectID)]
    ) throws -> LiveDifference? {
        counts.refetches[reason, default: 0] += 1
        keepFrozen()
        try load()
        let present = Dictionary(renamed.lazy.map { ($0.former, $0.id) }, uniquingKeysWith: { _, last in last })
        var difference = LiveDifference(from: old.ids, to: ids, renamed: present)
        difference.setSections(from: old.sections, to: sectionKeys)
        difference.movesSections = isSectioned
        return difference
    }

    // MARK: Testing

    /// Finds out what becomes of the rows that the changes concern.
    private func test(_ work: Work, _ change: inout HeldChange) throws {
        var formers: [ObjectID: UInt32] = [:]
        for (former, id) in work.renamed {
            guard let number = rows.number(of: former) else { continue }
            if former != id, rows.number(of: id) != nil || formers[id] != nil {
                // An upsert: another object represents the row already.
                change.leave(number)
            } else {
                formers[id] = number
            }
        }
        change.leave(held(among: work.removed))
        try prefetch(work.tested)
        // Objects with another identity are among these.
        for (id, isOwnChange) in work.tested {
            try test(id, isOwnChange: isOwnChange, former: formers[id] ?? rows.number(of: id), &change)
        }
    }

    private func test(_ id: ObjectID, isOwnChange: Bool, former: UInt32?, _ change: inout HeldChange) throws {
        guard let record = graph.registeredRecord(for: id), try matches(record) else {
            if let former { change.leave(former) }
            return
        }
        let values = try evaluator.sortValues(of: record, by: query.query.sort)
        if let former, !change.isLeaving(former), rows.id(former) == id, rows.isUnsaved(former) == record.isInserted,
            rows.holds(values, former)
        {
            if isOwnChange || !query.alsoRead.isEmpty { change.updated.append(former) }
            return
        }
        if let former { change.leave(former) }
        change.incoming.append(.init(id: id, values: values, isUnsaved: record.isInserted, former: former))
    }

    private func matches(_ record: Record) throws -> Bool {
        guard isWanted(record.entity.index), record.graph === graph, !record.isDeleted, !record.isGone,
            !query.query.excluded.contains(record.id), !graph.deletes.bulk.deleted.contains(record.id)
        else { return false }
        // Following relationships may have made a new fault for a row that is gone.
        if record.isFault { try graph.fire([record]) }
        if record.isGone { return false }
        counts.tests += 1
        return try query.query.predicate.map { try evaluator.test($0, root: record) } ?? true
    }

    private func isWanted(_ entityIndex: Int) -> Bool {
        query.query.includesSubentities
            ? model.isKind(entityIndex, of: query.query.entityIndex) : entityIndex == query.query.entityIndex
    }

    /// Reads what the tests of several objects follow, with one statement for each relationship.
    private func prefetch(_ tested: [(id: ObjectID, isOwnChange: Bool)]) throws {
        guard tested.count > 1, dependencies.readsOtherObjects else { return }
        let records = tested.compactMap { graph.registeredRecord(for: $0.id) }.filter { !$0.isGone && !$0.isDeleted }
        for path in dependencies.paths { try graph.prefetch(along: path, of: records) }
    }

    /// Returns the rows held that are among others.
    private func held(among other: RowSet) -> [UInt32] {
        if other.isEmpty { return [] }
        if other.count < tree.count { return other.ids.compactMap(rows.number) }
        var found: [UInt32] = []
        var (space, keys) = (IDSpace?.none, KeySet())
        tree.forEach(in: 0..<tree.count) { number in
            let own = rows.space(number)
            if own != space { (space, keys) = (own, other[own]) }
            if keys.contains(rows.key(number)) { found.append(number) }
        }
        return found
    }

    // MARK: Changing rows

    private func apply(
        _ change: inout HeldChange, renamed: [(former: ObjectID, id: ObjectID)]
    ) throws -> LiveDifference? {
        if change.isEmpty { return nil }
        if change.changesOrder { keepFrozen() }
        let mayRefill = !holdsAll && tree.count - change.leavingNumbers.count < query.window.upperBound
        let old = mayRefill ? (ids, sectionKeys) : ([], [])
        let (former, formerRows) = (visible, mayRefill ? (rows, tree, holdsAll) : nil)
        let windowSections = isSectioned && query.query.hasWindow ? sectionKeys : []
        removeLeaving(&change)
        insertEntering(&change)
        do {
            guard try refillIfNeeded(&change) else {
                return try refetch(.unreportedChange, from: old, renamed)
            }
        } catch {
            // The next difference is from the results of the last one.
            if let formerRows { (rows, tree, holdsAll) = formerRows }
            throw error
        }
        var difference = difference(change, formerly: former)
        if isSectioned {
            if query.query.hasWindow {
                difference.setSections(from: windowSections, to: sectionKeys)
            } else {
                setSections(of: change, &difference)
            }
        }
        if totals != nil {
            noteTotals(of: change)
            setChangedSections(of: change, &difference)
        }
        for leaving in change.leaving { rows.release(leaving.number) }
        trim()
        return difference.isEmpty ? nil : difference
    }

    /// Removes the leaving rows, after their positions were noted.
    private func removeLeaving(_ change: inout HeldChange) {
        let isMany = change.leavingNumbers.count > 64 && change.leavingNumbers.count > tree.count / 16
        change.notePositions(in: tree, isMany: isMany)
        if isSectioned {
            for index in change.leaving.indices {
                change.leaving[index].section = sectionIndex(heldAt: change.leaving[index].position)
            }
        }
        for leaving in change.leaving { rows.unlink(leaving.number) }
        for incoming in change.incoming {
            let number = rows.insert(incoming.id, incoming.values, isUnsaved: incoming.isUnsaved)
            let isNewSection = isSectioned && !hasSection(of: number)
            change.entering.append(.init(number: number, former: incoming.former, isNewSection: isNewSection))
        }
        if isMany { return setTree(numbers(without: change.leaving)) }
        for leaving in change.leaving.reversed() {
            tree.remove(leaving.number)
            markSection(at: leaving.position)
        }
    }

    /// - Parameter leaving: By position.
    private func numbers(without leaving: [HeldChange.Leaving]) -> [UInt32] {
        var staying: [UInt32] = []
        staying.reserveCapacity(tree.count - leaving.count)
        var rest = leaving[...]
        for (position, number) in tree.all.enumerated() {
            if rest.first?.position == position { rest.removeFirst() } else { staying.append(number) }
        }
        return staying
    }

    /// Inserts the entering rows, except those beyond the last row known.
    private func insertEntering(_ change: inout HeldChange) {
        if !holdsAll {
            let last = tree.isEmpty ? nil : tree[tree.count - 1]
            // A released row has lost its values, so it is not compared again.
            change.entering.removeAll { entering in
                if let last, rows.precedes(entering.number, last) { return false }
                rows.unlink(entering.number)
                rows.release(entering.number)
                return true
            }
        }
        for entering in change.entering { insert(entering.number) }
        change.noteEnteringPositions(in: tree)
    }

    private func insert(_ number: UInt32) {
        tree.insert(number) { rows.precedes($0, number) }
        guard isSectioned else { return }
        let position = tree.position(of: number)
        markSection(at: position)
        markSection(at: position + 1)
    }

    private func noteTotals(of change: HeldChange) {
        for leaving in change.leaving { totals?.note(leaving.number, of: rows, .removal) }
        for entering in change.entering { totals?.note(entering.number, of: rows, .addition) }
    }

    // MARK: Windows

    /// Reads further rows if the window is not full.
    /// - Returns: `false` if the store has other rows than expected.
    private func refillIfNeeded(_ change: inout HeldChange) throws -> Bool {
        guard !holdsAll, tree.count < query.window.upperBound else { return true }
        let held = tree.all
        let records = try fetchHeld()
        counts.refills += 1
        guard records.count >= held.count, zip(held, records).allSatisfy({ rows.id($0) == $1.id }) else { return false }
        let formers = Dictionary(
            change.leaving.lazy.map { (self.rows.id($0.number), $0.number) }, uniquingKeysWith: { first, _ in first })
        for record in records.dropFirst(held.count) {
            guard rows.number(of: record.id) == nil else { return false }
            let number = try add(record)
            insert(number)
            change.entering.append(
                .init(number: number, position: tree.count - 1, former: formers[record.id], isNewSection: false))
        }
        return true
    }

    /// Gives up the last rows if many more than needed are held.
    private func trim() {
        guard let most = query.mostHeld, let limit = query.heldLimit, tree.count > most else { return }
        while tree.count > limit {
            let last = tree[tree.count - 1]
            tree.remove(last)
            rows.unlink(last)
            rows.release(last)
        }
        holdsAll = false
    }
}
