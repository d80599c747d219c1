/// From what has changed among the rows held to what has changed in the window.
extension LiveResults {
    /// - Parameter former: The positions that were visible before.
    func difference(_ change: HeldChange, formerly former: Range<Int>) -> LiveDifference {
        let staying = stayingPairs(change)
        let shift = PositionShift(
            removed: change.leaving.filter { staying[$0.number] == nil }.map(\.position),
            inserted: change.entering.filter { $0.former.flatMap { staying[$0] } == nil }.map(\.position))
        var difference = LiveDifference()
        addMoves(of: change, staying, former, &difference)
        if query.query.hasWindow { addPassing(shift, change, staying, former, &difference) }
        addUpdates(of: change, staying, shift, former, &difference)
        return difference
    }

    /// Returns the objects that were placed anew and are where they were relative to the others: the index in
    /// `entering` by the former number.
    private func stayingPairs(_ change: HeldChange) -> [UInt32: Int] {
        guard change.entering.contains(where: { $0.former != nil }) else { return [:] }
        let formerIndexes = Dictionary(
            change.leaving.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
        var candidates: [(former: UInt32, position: Int, index: Int)] = []
        for (index, entering) in change.entering.enumerated() {
            guard let former = entering.former, let place = formerIndexes[former] else { continue }
            let before = change.leaving[place].position
            // The rows before it that do not move.
            if before - place == entering.position - index { candidates.append((former, before, index)) }
        }
        var staying: [UInt32: Int] = [:]
        for place in IncreasingRun.indices(of: candidates.map(\.position)) {
            staying[candidates[place].former] = candidates[place].index
        }
        return staying
    }

    private func addMoves(
        of change: HeldChange, _ staying: [UInt32: Int], _ former: Range<Int>, _ difference: inout LiveDifference
    ) {
        let mayMove = change.entering.contains { $0.former != nil }
        var places: [UInt32: Int] = [:]
        difference.removals.reserveCapacity(change.leaving.count)
        for leaving in change.leaving where staying[leaving.number] == nil && former.contains(leaving.position) {
            if mayMove { places[leaving.number] = difference.removals.count }
            difference.removals.append(
                .init(position: leaving.position - former.lowerBound, id: rows.id(leaving.number)))
        }
        for entering in change.entering where visible.contains(entering.position) {
            if let former = entering.former, staying[former] != nil { continue }
            let position = entering.position - visible.lowerBound
            var insertion = LiveDifference.Insertion(position: position, id: rows.id(entering.number))
            if let place = entering.former.flatMap({ places[$0] }) {
                insertion.origin = difference.removals[place].position
                difference.removals[place].destination = position
            }
            difference.insertions.append(insertion)
        }
    }

    /// Adds rows that did not change but passed an end of the window.
    private func addPassing(
        _ shift: PositionShift, _ change: HeldChange, _ staying: [UInt32: Int], _ former: Range<Int>,
        _ difference: inout LiveDifference
    ) {
        let formerIDs = Dictionary(
            staying.map { (change.entering[$1].position, rows.id($0)) }, uniquingKeysWith: { first, _ in first })
        var (left, joined) = (false, false)
        for position in shift.former(near: former) {
            guard let present = shift.present(of: position), !visible.contains(present) else { continue }
            difference.removals.append(
                .init(position: position - former.lowerBound, id: formerIDs[present] ?? rows.id(tree[present])))
            left = true
        }
        for position in shift.present(near: visible) {
            guard let before = shift.former(of: position), !former.contains(before) else { continue }
            difference.insertions.append(.init(position: position - visible.lowerBound, id: rows.id(tree[position])))
            joined = true
        }
        if left { difference.removals.sort { $0.position < $1.position } }
        if joined { difference.insertions.sort { $0.position < $1.position } }
    }

    private func addUpdates(
        of change: HeldChange, _ staying: [UInt32: Int], _ shift: PositionShift, _ former: Range<Int>,
        _ difference: inout LiveDifference
    ) {
        var stays: [LiveDifference.Stay] = []
        func add(_ number: UInt32, at position: Int, formerID: ObjectID?) {
            guard visible.contains(position), shift.former(of: position).map(former.contains) == true else { return }
            let id = rows.id(number)
            stays.append(
                .init(position: position - visible.lowerBound, id: id, formerID: formerID == id ? nil : formerID))
        }
        for number in change.updated { add(number, at: tree.position(of: number), formerID: nil) }
        for (former, index) in staying {
            let entering = change.entering[index]
            add(entering.number, at: entering.position, formerID: rows.id(former))
            if !isSameSection(former, entering.number) { difference.movesSections = true }
        }
        difference.updates = stays.sorted { $0.position < $1.position }
    }

    // MARK: Sections

    /// Sets the sections that lost or got rows, or have rows with other values.
    func setChangedSections(of change: HeldChange, _ difference: inout LiveDifference) {
        guard isSectioned else {
            difference.changedSections = [0]
            return
        }
        var changed: Set<Int> = []
        for number in change.leaving.map(\.number) + change.entering.map(\.number) where hasSection(of: number) {
            let position = tree.firstPosition { rows.compare($0, number, keyCount: query.sectionKeyCount) < 0 }
            changed.insert(sectionIndex(heldAt: position))
        }
        difference.changedSections = changed.sorted()
    }

    /// Sets the sections that lost their last row or got their first.
    func setSections(of change: HeldChange, _ difference: inout LiveDifference) {
        var removed: [Int] = []
        for leaving in change.leaving where leaving.section != removed.last && !hasSection(of: leaving.number) {
            removed.append(leaving.section)
        }
        difference.removedSections = removed
        var inserted: [Int] = []
        for entering in change.entering where entering.isNewSection {
            let index = sectionIndex(heldAt: entering.position)
            if index != inserted.last { inserted.append(index) }
        }
        difference.insertedSections = inserted
    }
}

/// How removals and insertions shift the positions of all other rows.
package struct PositionShift {
    private let removed: [Int]
    private let inserted: [Int]

    /// - Parameters:
    ///   - removed: Former positions, ascending.
    ///   - inserted: Present positions, ascending.
    package init(removed: [Int], inserted: [Int]) {
        self.removed = removed
        self.inserted = inserted
    }

    /// Returns the present position of a row; `nil` for a former position that was removed.
    package func present(of former: Int) -> Int? {
        let before = Self.count(below: former, in: removed)
        if before < removed.count, removed[before] == former { return nil }
        return Self.widened(former - before, by: inserted)
    }

    /// Returns the former position of a row; `nil` for a present position that was inserted.
    package func former(of present: Int) -> Int? {
        let before = Self.count(below: present, in: inserted)
        if before < inserted.count, inserted[before] == present { return nil }
        return Self.widened(present - before, by: removed)
    }

    /// The former positions in a window from which rows may have left it.
    func former(near window: Range<Int>) -> [Int] { near(window, below: removed.count, above: inserted.count) }

    /// The present positions in a window at which rows may have joined it.
    func present(near window: Range<Int>) -> [Int] { near(window, below: inserted.count, above: removed.count) }

    private func near(_ window: Range<Int>, below: Int, above: Int) -> [Int] {
        let first = window.lowerBound..<min(window.upperBound, window.lowerBound + below)
        let last = max(first.upperBound, window.upperBound - above)..<window.upperBound
        return Array(first) + Array(last)
    }

    /// Returns the position of the row with this number of rows before it, apart from those at the given positions.
    private static func widened(_ position: Int, by positions: [Int]) -> Int {
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] - middle <= position { low = middle + 1 } else { high = middle }
        }
        return position + low
    }

    private static func count(below position: Int, in positions: [Int]) -> Int {
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
