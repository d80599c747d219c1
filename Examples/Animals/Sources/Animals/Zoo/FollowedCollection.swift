import Foundation
import Observation
import SwiftData

/// The parts of the collection that pages show, each kept up to date by an observer.
///
/// A change costs what has changed, whatever made it: a page of this app, a long task in the background, or another
/// process that writes the same file. Pages are made of what is kept here, and fetch nothing that has been shown before.
@MainActor
final class FollowedCollection {
    /// Called when anything that is kept has changed.
    var onChange: () -> Void = {}
    private let context: ModelContext
    private let categoryList: ResultsObserver<AnimalCategory, Never>
    /// Holds an identifier, a category and a place for each animal, and is made once, when the app starts. A grouped fetch
    /// for each page would hold nothing, but it fetches all animals while any is unsaved, and has to be repeated after each
    /// step of a long task.
    private let groups: AggregateObserver<Animal, AnimalCategory?, Int>
    /// The animals of lists, most recently shown first.
    private var lists: [List] = []

    /// One page of a list.
    struct Page: Hashable {
        /// The name of the category; `nil` for all animals.
        var category: String?
        var search: String
        /// The position of the first animal in the list.
        var first: Int
        var length: Int
    }

    private struct List {
        let page: Page
        let animals: ResultsObserver<Animal, Never>
    }

    /// The most pages to follow. More windows than these rarely show different ones.
    private static let mostLists = 16
    /// A page is followed with all animals before it, so that those further on are fetched each time.
    private static let mostBefore = 1_000

    init(_ context: ModelContext) throws {
        self.context = context
        categoryList = try ResultsObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
        groups = try AggregateObserver(AggregateDescriptor(.count, by: \.category), modelContext: context)
        follow(categoryList.changes)
        followGroups()
    }

    /// All categories, sorted by name.
    var categories: [AnimalCategory] { Array(categoryList.results) }

    /// The numbers of animals, in total and by category.
    var counts: AnimalCounts { AnimalCounts(categories, groups.groups) }

    /// The animals of a page, sorted by name.
    func animals(_ page: Page) throws -> [Animal] {
        if page.first > Self.mostBefore { return try context.fetch(Self.descriptor(page)) }
        return Array(try list(page).animals.results)
    }

    private func list(_ page: Page) throws -> List {
        if let known = lists.firstIndex(where: { $0.page == page }) {
            let list = lists.remove(at: known)
            lists.insert(list, at: 0)
            return list
        }
        let animals = try ResultsObserver<Animal, Never>(
            fetchDescriptor: Self.descriptor(page), modelContext: context)
        let list = List(page: page, animals: animals)
        lists.insert(list, at: 0)
        lists.removeLast(max(0, lists.count - Self.mostLists))
        follow(animals.changes)
        return list
    }

    // MARK: Changes

    /// Reads on until the observer is released. Edits of animals that stay in their places are among the changes.
    private func follow(_ changes: ResultsChanges) {
        Task { [weak self] in
            for await _ in changes { self?.onChange() }
        }
    }

    private func followGroups() {
        withObservationTracking {
            _ = groups.groups
        } onChange: { [weak self] in
            Task { @MainActor in
                self?.onChange()
                self?.followGroups()
            }
        }
    }

    // MARK: Queries

    private static func descriptor(_ page: Page) -> FetchDescriptor<Animal> {
        var descriptor = FetchDescriptor(
            predicate: predicate(page.category, page.search), sortBy: [SortDescriptor(\Animal.name)])
        descriptor.fetchOffset = page.first
        descriptor.fetchLimit = page.length
        return descriptor
    }

    /// - Parameters:
    ///   - category: The name of a category; `nil` for all animals.
    ///   - search: A text that the names must contain, ignoring case and accents; empty for all animals.
    static func predicate(_ category: String?, _ search: String) -> Predicate<Animal>? {
        switch (category, search.isEmpty) {
        case (nil, true): return nil
        case (nil, false): return #Predicate { $0.name.localizedStandardContains(search) }
        case (let category?, true): return #Predicate { $0.category?.name == category }
        case (let category?, false):
            return #Predicate { $0.category?.name == category && $0.name.localizedStandardContains(search) }
        }
    }
}
