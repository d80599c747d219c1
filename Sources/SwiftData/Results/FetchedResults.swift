import ObjectGraph

/// Results that are fetched again after each change, because the query cannot be followed: a condition or an order that only
/// the program's own code can evaluate, a store of the program's own class, or results without unsaved changes.
final class FetchedResults<Element: PersistentModel>: ResultsSource {
    private let descriptor: FetchDescriptor<Element>
    private let context: ModelContext
    /// The results in order. The records outlive a save that gives them permanent identifiers.
    private(set) var records: [Record]
    private(set) var refetches = 0
    private var seen: ContextMarker
    /// The identifiers when differences were last reported.
    private var reportedIDs: [ObjectID] = []

    /// Fetches the results.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    init(_ descriptor: FetchDescriptor<Element>, in context: ModelContext) throws {
        self.context = context
        self.descriptor = descriptor
        records = try context.records(descriptor, reach: .subclasses)
        seen = ContextMarker(context)
    }

    var count: Int { records.count }
    var ids: [ObjectID] { records.map(\.id) }
    var sections: [LiveSection]? { nil }
    var mayBeOthers: Bool { mayHaveChanged }
    var mayHaveChanged: Bool { !context.graph.inbox.isEmpty || ContextMarker(context) != seen }

    var reportsDifferences = false {
        didSet { reportedIDs = reportsDifferences ? ids : [] }
    }

    func update() throws -> ResultsUpdate {
        var update = ResultsUpdate()
        guard mayHaveChanged else { return update }
        let new = try context.records(descriptor, reach: .subclasses)
        refetches += 1
        seen = ContextMarker(context)
        update.areOthers = !new.elementsEqual(records, by: ===)
        if reportsDifferences {
            update.differences = [difference(to: new)]
            reportedIDs = new.map(\.id)
        }
        records = new
        return update
    }

    /// Objects have other identifiers after a save.
    private func difference(to new: [Record]) -> LiveDifference {
        let renamed = Dictionary(
            zip(reportedIDs, records).lazy.filter { $0 != $1.id }.map { ($0, $1.id) },
            uniquingKeysWith: { first, _ in first })
        return LiveDifference(from: reportedIDs, to: new.map(\.id), renamed: renamed)
    }

    func position(of record: Record) -> Int? { records.firstIndex { $0 === record } }
}
