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

/// The part of the stores' history that an observer has not looked at.
struct UnseenHistory: Sendable {
    enum Finding {
        case nothing
        case ofInterest
    }

    /// The last transactions that were looked at, by store identifier.
    private var positions: [String: ObjectGraph.HistoryToken] = [:]
    private let filter: HistoryFilter

    /// - Parameter tokens: The positions by store identifier; the newest where there is none.
    /// - Throws: `HistoryError.historyNotRecorded` if no store keeps a history, or an error of reading.
    init(in core: ContainerCore, after tokens: [String: any HistoryToken], _ filter: HistoryFilter) throws {
        self.filter = filter
        for store in try core.storesWithHistory() {
            let given = (tokens[store.identifier] as? DefaultHistoryToken)?.token.number(of: store.identifier)
            positions[store.identifier] =
                try given.map { ObjectGraph.HistoryToken([store.identifier: $0]) } ?? store.historyToken()
        }
    }

    /// Looks at all new transactions.
    /// - Returns: Whether any of them is of interest. If history was deleted before it was looked at, that is unknown, and
    ///   counts as such.
    mutating func takeAll(of core: ContainerCore) throws -> Finding {
        var finding = Finding.nothing
        for store in try core.storesWithHistory() where try take(store) == .ofInterest { finding = .ofInterest }
        return finding
    }

    private mutating func take(_ store: any HistoryRecording) throws -> Finding {
        let detail: HistoryQuery.Detail = filter.entityNames == nil ? .withoutChanges : .withChanges
        do {
            let new = try store.wholeHistory(HistoryQuery(after: positions[store.identifier], detail))
            if let last = new.last { positions[store.identifier] = last.token }
            return new.contains(where: filter.passes) ? .ofInterest : .nothing
        } catch HistoryError.tokenExpired {
            positions[store.identifier] = try store.historyToken()
            return .ofInterest
        }
    }
}
