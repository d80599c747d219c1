import ObjectGraph
import SQLiteStore

/// One state of each store that can keep one, by the stores' identifiers. Closed when nobody is pinned to it any more.
final class GenerationSet: Sendable {
    private let generations: [String: StoreGeneration]

    init(_ generations: [String: StoreGeneration]) {
        self.generations = generations
    }

    subscript(identifier: String) -> StoreGeneration? { generations[identifier] }

    /// Whether every state is still there.
    var isOpen: Bool { generations.values.allSatisfy(\.isOpen) }
    var identifiers: Set<String> { Set(generations.keys) }

    func close(_ identifier: String) { generations[identifier]?.close() }
}

extension CoordinatorStore {
    /// What the stores that can keep states of themselves have now.
    func currentGenerations() throws -> GenerationSet {
        var generations: [String: StoreGeneration] = [:]
        for member in members { generations[member.store.identifier] = try member.sqlite?.currentGeneration() }
        let set = GenerationSet(generations)
        noteGenerations(set)
        return set
    }

    /// Whether any store can.
    func canKeepGenerations() throws -> Bool {
        try members.contains { try $0.sqlite?.canKeepGenerations() ?? false }
    }

    /// The stores at these states; those without one as they are now.
    func rows(at set: GenerationSet) -> CoordinatorRows {
        CoordinatorRows(
            model: model,
            stores: members.map { member in
                var member = member
                member.generation = set[member.store.identifier]
                return member
            })
    }
}
