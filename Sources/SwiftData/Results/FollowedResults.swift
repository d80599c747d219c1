import Foundation
import ObjectGraph

/// The results of one query in a context, brought up to date when asked. Used in the context's isolation.
final class FollowedResults<Element: PersistentModel> {
    private(set) var descriptor: FetchDescriptor<Element>
    private let context: ModelContext
    private let sections: SectionRule
    private var source: Source

    /// Whether the query's first sort key divides the results into sections.
    enum SectionRule {
        case none
        case byFirstKey
    }

    private enum Source {
        case maintained(MaintainedResults)
        case fetched(FetchedResults<Element>)

        var results: any ResultsSource {
            switch self {
            case .maintained(let results): results
            case .fetched(let results): results
            }
        }
    }

    /// Fetches the results.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    init(_ descriptor: FetchDescriptor<Element>, in context: ModelContext, sections: SectionRule) throws {
        self.context = context
        self.descriptor = descriptor
        self.sections = sections
        source = try Self.source(descriptor, context, sections)
    }

    private static func source(
        _ descriptor: FetchDescriptor<Element>, _ context: ModelContext, _ sections: SectionRule
    ) throws -> Source {
        guard descriptor.includePendingChanges, context.dataStoreCaller == nil,
            case .query(let query) = try context.plan(descriptor, reach: .subclasses),
            let queries = context.followers.queries(of: context.graph)
        else { return .fetched(try FetchedResults(descriptor, in: context)) }
        context.graph.sweepIfNeeded()
        let followed = LiveQuery(query, sectionsBy: sections == .byFirstKey ? query.sort.first : nil)
        let results = try MaintainedResults(followed, in: context.graph, queries)
        try prefetch(results, for: descriptor, context)
        return .maintained(results)
    }

    private static func prefetch(
        _ results: MaintainedResults, for descriptor: FetchDescriptor<Element>, _ context: ModelContext
    ) throws {
        let relationships = try context.relationships(prefetchedBy: descriptor, context.entity(of: Element.self))
        if relationships.isEmpty { return }
        let records = results.ids.compactMap(context.graph.registeredRecord)
        if records.isEmpty { return }
        for relationship in relationships { try context.graph.prefetch(relationship, of: records) }
    }

    // MARK: Results

    var count: Int { source.results.count }
    var ids: [ObjectID] { source.results.ids }
    /// Increases with each change that could not be followed, so that the results were fetched again.
    var refetches: Int { source.results.refetches }
    /// Whether the sections are counted without looking at the results.
    var countsSections: Bool {
        if case .maintained = source { sections == .byFirstKey } else { false }
    }
    /// The sections, if they are counted without looking at the results.
    var countedSections: [LiveSection]? { source.results.sections }

    /// The results at this time, which later changes do not affect.
    var window: RecordWindow<Element> {
        switch source {
        case .maintained(let results):
            let frozen = results.frozen.map { RecordWindow<Element>.Source.frozen($0, results) }
            return RecordWindow(source: frozen ?? .records([]), context: context)
        case .fetched(let results): return RecordWindow(source: .records(results.records), context: context)
        }
    }

    /// The position of a model in the results; `nil` if it is not among them.
    /// - Complexity: O(log n) if the results are maintained.
    func position(of model: Element) -> Int? { source.results.position(of: model.record) }

    // MARK: Changes

    /// Whether anything has happened in the context since the last update. Cheap.
    var mayHaveChanged: Bool { source.results.mayHaveChanged }

    var reportsDifferences: Bool {
        get { source.results.reportsDifferences }
        set { source.results.reportsDifferences = newValue }
    }

    /// Follows another query, whose results are fetched at once.
    /// - Returns: The difference between the results.
    /// - Throws: The errors of `ModelContext.fetch(_:)`. The former query and its results then stay.
    func follow(_ descriptor: FetchDescriptor<Element>) throws -> ResultsUpdate {
        let new = try Self.source(descriptor, context, sections)
        var update = ResultsUpdate(areOthers: true)
        if reportsDifferences {
            update.differences = [LiveDifference(from: ids, to: new.results.ids, renamed: [:])]
            new.results.reportsDifferences = true
        }
        source = new
        self.descriptor = descriptor
        return update
    }

    /// Brings the results up to date with the context, after merging the saves of others.
    /// - Throws: The errors of `ModelContext.fetch(_:)`. The results then stay.
    func update() throws -> ResultsUpdate {
        try source.results.update()
    }
}
