/// A section of results: those with the same value of the section's key.
package struct LiveSection: Sendable, Hashable {
    package let value: Value
    /// The positions of its results.
    package let range: Range<Int>
}

/// Sections. The tree counts the rows that begin one, so that the section of a position, and the positions of a section,
/// take O(log n).
extension LiveResults {
    package var isSectioned: Bool { query.sectionKeyCount > 0 }

    /// The number of sections; 0 without results, or without sections.
    package var sectionCount: Int {
        guard isSectioned, !visible.isEmpty else { return 0 }
        return sectionIndex(heldAt: visible.upperBound - 1) - firstSection + 1
    }

    /// Returns the section at an index, which must be below `sectionCount`.
    package func section(at index: Int) -> LiveSection {
        let held = firstSection + index
        let start = max(tree.position(ofMark: held), visible.lowerBound)
        let end = min(tree.position(ofMark: held + 1), visible.upperBound)
        let value = rows.sortValue(tree[start], key: 0)
        return LiveSection(value: value, range: start - visible.lowerBound..<end - visible.lowerBound)
    }

    package var sections: [LiveSection] { (0..<sectionCount).map(section) }

    /// Returns the index of the section of a result.
    package func sectionIndex(ofPosition position: Int) -> Int {
        sectionIndex(heldAt: visible.lowerBound + position) - firstSection
    }

    /// The index of the first visible row's section among all of the rows held.
    private var firstSection: Int { sectionIndex(heldAt: visible.lowerBound) }

    func sectionIndex(heldAt position: Int) -> Int { max(0, tree.marks(before: position + 1) - 1) }

    func isSameSection(_ one: UInt32, _ other: UInt32) -> Bool {
        rows.compare(one, other, keyCount: query.sectionKeyCount) == 0
    }

    /// Whether the tree has a row of the same section.
    func hasSection(of number: UInt32) -> Bool {
        let position = tree.firstPosition { rows.compare($0, number, keyCount: query.sectionKeyCount) < 0 }
        return position < tree.count && isSameSection(tree[position], number)
    }

    /// The values of all sections.
    var sectionKeys: [ValueKey] { sections.map { ValueKey($0.value) } }

    /// Marks the row at a position if it begins a section.
    func markSection(at position: Int) {
        guard isSectioned, position < tree.count else { return }
        let number = tree[position]
        tree.setMark(position == 0 || !isSameSection(tree[position - 1], number), of: number)
    }
}
