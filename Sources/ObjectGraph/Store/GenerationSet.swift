/// One state of each store that can keep one, by the stores' identifiers. Closed when no view is pinned to it any more.
package final class GenerationSet: Sendable {
    private let generations: [String: any StoreState]

    init(_ generations: [String: any StoreState]) {
        self.generations = generations
    }

    subscript(identifier: String) -> (any StoreState)? { generations[identifier] }

    /// Whether every state is still there.
    package var isOpen: Bool { generations.values.allSatisfy(\.isOpen) }
    package var identifiers: Set<String> { Set(generations.keys) }

    func close(_ identifier: String) { generations[identifier]?.close() }
}

extension StoreGroup {
    /// What the stores that can keep states of themselves have now.
    func currentGenerations() throws -> GenerationSet {
        var generations: [String: any StoreState] = [:]
        for member in members { generations[member.identifier] = try member.store.stateKeeping?.currentGeneration() }
        let set = GenerationSet(generations)
        noteGenerations(set)
        return set
    }

    /// Whether any store can.
    package func canKeepGenerations() throws -> Bool {
        try members.contains { try $0.store.stateKeeping?.canKeepGenerations() ?? false }
    }

    /// The stores at these states; those without one as they are now.
    func members(at set: GenerationSet) -> [Member] {
        members.map { member in
            var member = member
            member.generation = set[member.identifier]
            return member
        }
    }
}
