import Foundation
import ObjectGraph

/// The results of one query in a context, brought up to date when asked. The one place that knows how: here by fetching
/// again. Used in the context's isolation.
final class FollowedResults<Element: PersistentModel> {
    private(set) var descriptor: FetchDescriptor<Element>
    /// The results in order. The records outlive a save that gives them permanent identifiers.
    private(set) var records: [Record]
    /// Increases with each query that could not be followed and was fetched again.
    private(set) var refetches = 0
    private let context: ModelContext
    private var seen: Marker

    /// The state of the context at the last fetch.
    private struct Marker: Equatable {
        let edits: Int
        let merges: Int
        let others: Int

        init(_ context: ModelContext) {
            edits = context.graph.editCount
            merges = context.graph.mergeCount
            others = context.followers.count
        }
    }

    /// Fetches the results.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    init(_ descriptor: FetchDescriptor<Element>, in context: ModelContext) throws {
        self.context = context
        self.descriptor = descriptor
        records = try context.records(descriptor, reach: .subclasses)
        seen = Marker(context)
    }

    /// Whether anything has happened in the context since the last fetch. Cheap.
    var mayHaveChanged: Bool { !context.graph.inbox.isEmpty || Marker(context) != seen }

    /// Follows another query, whose results are fetched at once.
    /// - Throws: The errors of `ModelContext.fetch(_:)`. The former query and its results then stay.
    func follow(_ descriptor: FetchDescriptor<Element>) throws {
        records = try context.records(descriptor, reach: .subclasses)
        self.descriptor = descriptor
        seen = Marker(context)
    }

    /// Brings the results up to date with the context, after merging the saves of others.
    /// - Returns: Whether there are other models, or another order. Models may have been edited in any case.
    /// - Throws: The errors of `ModelContext.fetch(_:)`. The results then stay.
    func update() throws -> Bool {
        guard mayHaveChanged else { return false }
        let new = try context.records(descriptor, reach: .subclasses)
        refetches += 1
        seen = Marker(context)
        if new.elementsEqual(records, by: ===) { return false }
        records = new
        return true
    }

    /// The place of a model in the results; `nil` if it is not among them.
    func place(of model: Element) -> Int? {
        let record = model.record
        return records.firstIndex { $0 === record }
    }

    /// The results at this time, which later changes do not affect.
    var window: RecordWindow<Element> { RecordWindow(records: records, context: context) }
}
