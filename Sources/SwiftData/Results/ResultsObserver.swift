import Foundation
import ObjectGraph
import Observation

/// The results of a fetch that follow all changes: unsaved changes of their context, and saves of other contexts, containers and
/// processes.
///
/// ```swift
/// let observer = try ResultsObserver<Trip, String>(sectionBy: \.destination, modelContext: context)
/// withObservationTracking { show(observer.results) } onChange: { … }
/// ```
///
/// `SectionTitle` is `String` for results in sections, else `Never`. Reading a property brings the results up to date.
/// Observers are notified on the actor on which the observer was created, in its next turn, if the results have changed then.
/// An observer that was created on no actor notifies at once whenever its results may have changed; of saves of others, when
/// the results are read, or the context processes pending changes or is saved.
///
/// Like its models, an observer is used in the isolation of its context.
public final class ResultsObserver<Element, SectionTitle>: Observable
where Element: PersistentModel, SectionTitle: Hashable {
    /// The context whose models are the results.
    public let modelContext: ModelContext
    /// The property by whose values the results are divided into sections; `nil` for no sections.
    public let sectionBy: PartialKeyPath<Element>?
    private let registrar = ObservationRegistrar()
    /// Made once, because a key path of a generic type is made anew at each use.
    private let resultsKeyPath = \ResultsObserver.results
    private let followed: FollowedResults<Element>
    private let section: SectionKey<Element, SectionTitle>?
    /// The sections, once they were asked for.
    private var knownPlaces: SectionPlaces<SectionTitle>?
    private let feed = DifferenceFeed<ResultsDifference>()
    /// Values that the program has set, which are shown until the next change.
    private var shown = Shown()
    var notice: ObserverNotice

    private struct Shown {
        var results: FetchResultsCollection<Element>?
        var sections: SectionedResults<Element, SectionTitle>??
    }

    init(
        _ descriptor: FetchDescriptor<Element>, _ section: SectionKey<Element, SectionTitle>?,
        in context: ModelContext, on actor: (any Actor)?
    ) throws {
        modelContext = context
        sectionBy = section?.keyPath
        self.section = section
        followed = try FollowedResults(
            descriptor.ordered(by: section?.sort), in: context, sections: section?.sort == nil ? .none : .byFirstKey)
        notice = ObserverNotice(of: context, on: actor)
        context.add(self, on: actor)
    }

    // MARK: The query

    /// The models that are followed and their order, with the conditions of `filterBy` and `sortBy`.
    public var fetchDescriptor: FetchDescriptor<Element> {
        registrar.access(self, keyPath: \.fetchDescriptor)
        return followed.descriptor
    }

    /// The condition; `nil` for all models. Setting it fetches the results at once. An error of that fetch is logged, and the
    /// former condition and results stay.
    public var filterBy: Predicate<Element>? {
        get { fetchDescriptor.predicate }
        set {
            var descriptor = followed.descriptor
            descriptor.predicate = newValue
            follow(descriptor)
        }
    }

    /// The order. Setting it fetches the results at once. The order of the sections comes first, and that of the identifiers
    /// last, unless they are part of it. An error of the fetch is logged, and the former order and results stay.
    public var sortBy: [SortDescriptor<Element>] {
        get { fetchDescriptor.sortBy }
        set {
            var descriptor = followed.descriptor
            descriptor.sortBy = newValue
            follow(descriptor.ordered(by: section?.sort))
        }
    }

    private func follow(_ descriptor: FetchDescriptor<Element>) {
        // The difference is from the results that readers know.
        update()
        let former = feed.isRead ? titles : []
        let update: ResultsUpdate
        do {
            update = try followed.follow(descriptor)
        } catch {
            return modelContext.report(error)
        }
        shown = Shown()
        knownPlaces = nil
        post(update, from: former)
        registrar.withMutation(of: self, keyPath: \.fetchDescriptor) {}
        notify()
    }

    // MARK: The results

    /// The models that match the query, in its order. A collection that was read does not change any more. One that is set is
    /// shown until the results next change.
    public var results: FetchResultsCollection<Element> {
        get {
            registrar.access(self, keyPath: resultsKeyPath)
            update()
            return shown.results ?? FetchResultsCollection(followed.window)
        }
        set { registrar.withMutation(of: self, keyPath: resultsKeyPath) { shown.results = newValue } }
    }

    /// The results in sections; `nil` if there is no `sectionBy`. Models whose section is nil are in a section with an empty
    /// title. Sections that are set are shown until the results next change.
    public var sections: SectionedResults<Element, SectionTitle>? {
        get {
            registrar.access(self, keyPath: \.sections)
            update()
            if let sections = shown.sections { return sections }
            return places.map { SectionedResults($0, of: followed.window) }
        }
        set { registrar.withMutation(of: self, keyPath: \.sections) { shown.sections = .some(newValue) } }
    }

    /// Returns the model at a place in the sections; `nil` without sections, and for a place outside them.
    /// - Parameter indexPath: The number of the section, and the position in it.
    public func element(at indexPath: IndexPath) -> Element? {
        guard let sections, indexPath.count == 2, sections.indices.contains(indexPath[0]) else { return nil }
        let section = sections[indexPath[0]]
        return section.indices.contains(indexPath[1]) ? section[indexPath[1]] : nil
    }

    /// Returns the place of a model in the sections: the number of the section, and the position in it; `nil` without
    /// sections, and for a model that is not among the results.
    /// - Parameter element: The model.
    /// - Complexity: O(log n) in the number of results, if the engine maintains them.
    public func indexPath(for element: Element) -> IndexPath? {
        registrar.access(self, keyPath: \.sections)
        update()
        guard let place = followed.position(of: element).flatMap({ places?.place($0) }) else { return nil }
        return IndexPath(indexes: [place.section, place.item])
    }

    private var places: SectionPlaces<SectionTitle>? {
        guard let section else { return nil }
        if let knownPlaces { return knownPlaces }
        let places = places(by: section)
        knownPlaces = places
        return places
    }

    private func places(by section: SectionKey<Element, SectionTitle>) -> SectionPlaces<SectionTitle> {
        let window = followed.window
        guard let counted = followed.countedSections else {
            return SectionPlaces(of: (0..<window.count).lazy.map { section.title(window[$0]) })
        }
        return SectionPlaces(
            of: counted.lazy.map { counted in
                let title = section.titleOfValue(counted.value) ?? section.title(window[counted.range.lowerBound])
                return (title, counted.range.count)
            })
    }

    private var titles: [String] { places?.titles as? [String] ?? [] }
}

extension ResultsObserver: LiveObserver {
    var mayHaveChanged: Bool {
        // Titles that are no values of the query are computed again after any change.
        section != nil && !followed.countsSections ? followed.mayHaveChanged : followed.mayBeOthers
    }
    var isRead: Bool { feed.isRead }

    func notify() {
        registrar.withMutation(of: self, keyPath: resultsKeyPath) {}
        if section != nil { registrar.withMutation(of: self, keyPath: \.sections) {} }
    }

    func readChanges() throws -> Bool {
        if followed.reportsDifferences, !feed.isRead { followed.reportsDifferences = false }
        // Counted sections may be ahead of what was last posted, and are known while they are needed.
        let formerPlaces = keepsPlaces ? places : nil
        let update = try followed.update()
        if update.areOthers || !followed.countsSections { knownPlaces = nil }
        let areOthers = update.areOthers || keepsPlaces && places != formerPlaces
        post(update, from: formerPlaces?.titles as? [String] ?? [])
        if areOthers { shown = Shown() }
        return areOthers
    }
}

extension ResultsObserver {
    /// The changes of the results from now on, as exact differences that can be read on any actor.
    ///
    /// ```swift
    /// let changes = observer.changes
    /// var ids = changes.start.elements
    /// Task {
    ///     for await change in changes { change.elements.apply(to: &ids) }
    /// }
    /// ```
    ///
    /// Edits of a model are listed, whatever property they are of. A difference follows when the results are brought up to date:
    /// on the observer's actor in its next turn; without an actor when the results are read, and when the context is saved or
    /// rolled back, or processes pending changes. Differences that are not taken yet are merged into one. Each value is one
    /// reader's, and costs nothing once nothing refers to it. It ends when the observer is released; a task that names the
    /// observer retains it. Observers that fetch again do not list edits: see ``ResultsDifference/isRefetched``.
    ///
    /// This property is not part of Apple's SwiftData.
    /// - Complexity: O(n) in the number of results, for the identifiers that the changes start from. Each difference costs what
    ///   has changed.
    public var changes: ResultsChanges {
        update()
        let mailbox = feed.open()
        followed.reportsDifferences = true
        _ = places
        return ResultsChanges(start: presentIdentifiers, mailbox: mailbox)
    }

    /// The identifiers of the results, and the sections, as a value for other actors.
    ///
    /// This property is not part of Apple's SwiftData.
    /// - Complexity: O(n) in the number of results; no model is read.
    public var identifiers: ResultsIdentifiers {
        registrar.access(self, keyPath: resultsKeyPath)
        update()
        return presentIdentifiers
    }

    private var presentIdentifiers: ResultsIdentifiers {
        let sections = places.map { places in
            places.titles.indices.map {
                ResultsIdentifiers.Section(title: places.titles[$0] as? String ?? "", range: places.range(at: $0))
            }
        }
        return ResultsIdentifiers(elements: followed.ids.map(PersistentIdentifier.init), sections: sections ?? [])
    }

    /// The number of changes that could not be followed, so that the results were fetched again.
    var refetches: Int { followed.refetches }

    /// Whether the sections are known at any time, to be compared with the next ones.
    private var keepsPlaces: Bool { section != nil && (!followed.countsSections || feed.isRead) }

    private func post(_ update: ResultsUpdate, from former: [String]) {
        guard feed.isRead else { return }
        var difference = ResultsDifference(update.differences)
        if section != nil, titles != former { difference.sections = ListDifference(from: former, to: titles) }
        feed.post(difference)
    }
}

extension ResultsObserver: CustomDebugStringConvertible {
    /// The number of results and sections, for logs.
    public var debugDescription: String {
        let sections = places.map { " in \($0.titles.count) sections" } ?? ""
        return "ResultsObserver of \(Element.self): \(followed.count) results\(sections)"
    }
}
