import ObjectGraph

/// The part of the stores' history that an observer has not read.
struct UnseenHistory: Sendable {
    enum Finding {
        case nothing
        case ofInterest
    }

    /// The last transactions that were read, by store identifier.
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

    /// Reads all new transactions.
    /// - Returns: Whether any of them is of interest. History that was deleted before it was read may have been, and counts as
    ///   such.
    mutating func readAll(of core: ContainerCore) throws -> Finding {
        var finding = Finding.nothing
        for store in try core.storesWithHistory() where try read(store) == .ofInterest { finding = .ofInterest }
        return finding
    }

    private mutating func read(_ store: any HistoryRecording) throws -> Finding {
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
