import ObjectGraph

/// The transactions that a history observer is interested in.
struct HistoryFilter: Sendable {
    /// `nil` for all.
    let entityNames: Set<String>?
    /// Empty for all.
    let authors: Set<String>

    init(of types: [any PersistentModel.Type], by authors: Set<String>, in core: ContainerCore) {
        let model = core.store.model
        let entities = types.compactMap { model.entity(named: ModelType.of($0).entityName) }
        entityNames = types.isEmpty ? nil : Set(entities.flatMap { $0.familyIndexes.map { model[$0].name } })
        self.authors = authors
    }

    func passes(_ transaction: ObjectGraph.HistoryTransaction) -> Bool {
        if !authors.isEmpty {
            guard let author = transaction.author, authors.contains(author) else { return false }
        }
        guard let entityNames else { return true }
        return transaction.changes.contains { entityNames.contains($0.id.entityName) }
    }
}
