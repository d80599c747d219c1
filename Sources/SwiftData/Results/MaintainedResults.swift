import ObjectGraph

/// Results that the engine maintains: each change costs what it changes.
final class MaintainedResults: ResultsSource, DifferenceReceiver {
    let queries: FollowedQueries
    private let graph: Graph
    /// Fetched by the initializer, which has no other receiver to give than the whole instance.
    private var live: LiveResults?
    private var pending = ResultsUpdate()
    private var seenUpdate: Int

    var reportsDifferences = false {
        didSet {
            guard reportsDifferences != oldValue, let live else { return }
            queries.report(reportsDifferences ? .ofAllProperties : .ofReadProperties, of: live)
        }
    }

    /// Fetches the results.
    /// - Throws: Errors of fetching.
    init(_ query: LiveQuery, in graph: Graph, _ queries: FollowedQueries) throws {
        self.graph = graph
        self.queries = queries
        seenUpdate = queries.updateCount
        live = try queries.follow(query, for: self)
    }

    deinit { if let live { queries.receiverIsReleased(of: live) } }

    var count: Int { live?.count ?? 0 }
    var ids: [ObjectID] { live?.ids ?? [] }
    var refetches: Int { live?.counts.refetchCount ?? 0 }
    var sections: [LiveSection]? { live.flatMap { $0.isSectioned ? $0.sections : nil } }
    var mayHaveChanged: Bool { queries.haveChanges || queries.updateCount != seenUpdate }

    func update() -> ResultsUpdate {
        queries.update()
        seenUpdate = queries.updateCount
        defer { pending = ResultsUpdate() }
        return pending
    }

    func receive(_ difference: LiveDifference) { pending.add(difference, isReported: reportsDifferences) }

    func position(of record: Record) -> Int? {
        record.graph === graph ? live?.position(of: record.id) : nil
    }

    var frozen: FrozenResults? { live.map(queries.freeze) }
}
