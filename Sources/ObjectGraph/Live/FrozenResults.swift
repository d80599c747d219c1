/// Maintained results at one time, which later changes do not affect.
///
/// While the results are unchanged, this only refers to them; their identities are copied when they change and this
/// still exists. Objects that were deleted or saved since, so that their identities find nothing, are kept.
///
/// Used where its graph is used.
package final class FrozenResults {
    package let count: Int
    /// The results, until they change.
    private var source: LiveResults?
    private var copy: [ObjectID] = []
    /// Objects that have left the graph, or have another identity, by their identity here.
    private var kept: [ObjectID: Record] = [:]
    /// The identities copied, once they have been searched.
    private var members: Set<ObjectID>?
    /// The part of the results that was read last: the tree gives neighbours together.
    private var part: [ObjectID] = []
    private var partStart = 0

    /// The number of neighbours read together.
    private static let partCount = 256

    init(_ source: LiveResults) {
        self.source = source
        count = source.count
    }

    // MARK: Reading

    /// Returns the identity of the result at a position, which must be below `count`.
    package subscript(position: Int) -> ObjectID {
        guard let source else { return copy[position] }
        if position < partStart || position >= partStart + part.count { readPart(around: position, of: source) }
        return part[position - partStart]
    }

    /// The results around a position, to be read together.
    package func part(around position: Int) -> [ObjectID] {
        let start = position / Self.partCount * Self.partCount
        return (start..<min(start + Self.partCount, count)).map { self[$0] }
    }

    /// Returns an object that left the graph, or has another identity, since the results were frozen.
    package func kept(_ id: ObjectID) -> Record? { kept.isEmpty ? nil : kept[id] }

    private func readPart(around position: Int, of source: LiveResults) {
        partStart = position / Self.partCount * Self.partCount
        part.removeAll(keepingCapacity: true)
        let first = source.visible.lowerBound + partStart
        source.tree.forEach(in: first..<min(first + Self.partCount, source.visible.upperBound)) {
            part.append(source.rows.id($0))
        }
    }

    // MARK: Changes

    /// Copies the identities, before the results change.
    func copyIdentities() {
        guard let source else { return }
        copy = source.ids
        part = []
        self.source = nil
    }

    /// Keeps an object of these results whose identity finds nothing since.
    func keep(_ record: Record, for id: ObjectID) {
        if contains(id) { kept[id] = record }
    }

    private func contains(_ id: ObjectID) -> Bool {
        if let source { return source.position(of: id) != nil }
        if let members { return members.contains(id) }
        let members = Set(copy)
        self.members = members
        return members.contains(id)
    }
}

/// The frozen results of a graph that still exist.
struct FrozenResultsInUse {
    private struct Entry {
        weak var frozen: FrozenResults?
    }

    private var entries: [Entry] = []

    mutating func add(_ frozen: FrozenResults) {
        if entries.count > 64, entries.count == entries.capacity { entries.removeAll { $0.frozen == nil } }
        entries.append(Entry(frozen: frozen))
    }

    /// Keeps the objects that cannot be found by their former identities.
    mutating func note(_ changes: GraphChanges, in graph: Graph) {
        note(changes.renamings)
        if entries.isEmpty { return }
        let gone = changes.objects.map(\.record).filter { graph.registeredRecord(for: $0.id) !== $0 }
        for case let frozen? in entries.map(\.frozen) {
            for record in gone { frozen.keep(record, for: record.id) }
        }
    }

    /// Keeps objects with another identity by the former one.
    mutating func note(_ renamings: [GraphChanges.Renaming]) {
        if entries.isEmpty { return }
        entries.removeAll { $0.frozen == nil }
        for case let frozen? in entries.map(\.frozen) {
            for renaming in renamings { frozen.keep(renaming.record, for: renaming.former) }
        }
    }
}
