/// One state of each store that supports states, by store identifier. Closed when no view is pinned to it any more.
package final class GenerationSet: Sendable {
    private let generations: [String: any StoreState]

    init(_ generations: [String: any StoreState]) {
        self.generations = generations
    }

    subscript(identifier: String) -> (any StoreState)? { generations[identifier] }

    /// Whether every state can still be read.
    package var isOpen: Bool { generations.values.allSatisfy(\.isOpen) }
    package var identifiers: Set<String> { Set(generations.keys) }

    func close(_ identifier: String) { generations[identifier]?.close() }
}

extension StoreGroup {
    /// Returns the current states of the stores that support states.
    func currentGenerations() throws -> GenerationSet {
        var generations: [String: any StoreState] = [:]
        for member in members { generations[member.identifier] = try member.store.statePreserving?.currentGeneration() }
        let set = GenerationSet(generations)
        noteGenerations(set)
        return set
    }

    /// Whether any store supports states.
    package func supportsGenerations() throws -> Bool {
        try members.contains { try $0.store.statePreserving?.supportsGenerations() ?? false }
    }

    /// Returns the stores at these states; stores without one at their newest state.
    func members(at set: GenerationSet) -> [Member] {
        members.map { member in
            var member = member
            member.generation = set[member.identifier]
            return member
        }
    }
}
