import Foundation
import SwiftData

/// What pages show of the collection as one context has it, kept up to date by observers of that context.
///
/// A change costs what it changes, whatever has made it: a page of this app, a long task in the background, or another
/// process that writes the same file. Pages are made of what is kept here. Used in the isolation of the context.
final class FollowedCollection {
    private let context: ModelContext
    private let onChange: @Sendable () -> Void
    private let categoryList: ResultsObserver<AnimalCategory, Never>
    private let groups: AggregateObserver<Animal, PersistentIdentifier?, Int>
    private var lists: [ListKey: List] = [:]

    /// What distinguishes the animals of lists.
    private struct ListKey: Hashable {
        let category: String?
        let search: String
        let page: Int

        init(_ listing: Listing) {
            (category, search, page) = (listing.category?.name, listing.search, listing.page)
        }
    }

    private struct List {
        let animals: ResultsObserver<Animal, Never>
        var lastShown: ContinuousClock.Instant
    }

    /// The most lists to follow. Windows that show others still follow numbers and categories.
    private static let mostLists = 32

    /// - Parameter onChange: Called in any isolation when anything has changed that has been shown.
    /// - Throws: Errors of fetching.
    init(
        _ context: ModelContext, isolation: isolated (any Actor)? = #isolation,
        onChange: @escaping @Sendable () -> Void
    ) throws {
        self.context = context
        self.onChange = onChange
        categoryList = try ResultsObserver(
            sortBy: [SortDescriptor(\.name)], modelContext: context, isolation: isolation)
        groups = try AggregateObserver(
            AggregateDescriptor(of: Animal.self, .count, by: \.category?.persistentModelID), modelContext: context,
            isolation: isolation)
        follow(categoryList.changes)
        follow(groups.changes)
    }

    // MARK: Showing

    /// The categories, and the numbers of animals in them.
    var counts: AnimalCounts {
        var categories = listedCategories
        while true {
            let groups = groups.groups
            // Each observer merges what others have saved when it is read, so that the groups may be newer.
            let present = listedCategories
            if present == categories { return AnimalCounts(categories, groups) }
            categories = present
        }
    }

    private var listedCategories: [ListedCategory] { categoryList.results.map { ListedCategory($0) } }

    /// What becomes of lists that have not been shown before.
    enum NewLists {
        case followed
        /// During a long task, to which each further observer adds a test of each model that it changes. Windows fetch their
        /// pages again as the numbers change.
        case fetched
    }

    /// The animals of a page of a list, with all counts. A page beyond the last one is replaced by the last one.
    /// - Parameter category: The category whose first animals are wanted as well.
    /// - Throws: Errors of fetching a list that has not been shown before.
    func shown(
        _ listing: Listing, relativesIn category: ListedCategory? = nil, newLists: NewLists,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> ShownCollection {
        let counts = counts
        var listing = listing
        listing.category = listing.category.map(counts.present)
        let count: Int
        let animals: [ListedAnimal]
        if listing.isSearch {
            let found = try results(of: listing.at(1), newLists, isolation: isolation)
            count = found.count
            listing = listing.clamped(to: count)
            animals = listed(found.dropFirst(listing.first).prefix(Listing.pageSize))
        } else {
            count = counts.animals(in: listing.category)
            listing = listing.clamped(to: count)
            animals = listed(try results(of: listing, newLists, isolation: isolation))
        }
        var relatives: [ListedAnimal] = []
        if let category {
            let company = try results(of: Listing(category: category), newLists, isolation: isolation)
            relatives = listed(company.prefix(ShownCollection.mostRelatives + 1))
        }
        return ShownCollection(
            counts: counts, listing: listing, animals: animals, count: count, relatives: relatives)
    }

    /// An animal whose row was deleted while it was read has no values to show. The next change is that it is gone.
    private func listed(_ animals: some Sequence<Animal>) -> [ListedAnimal] {
        animals.compactMap { animal in
            let listed = ListedAnimal(animal)
            return animal.modelContext == nil ? nil : listed
        }
    }

    // MARK: Lists

    private func results(
        of listing: Listing, _ newLists: NewLists, isolation: isolated (any Actor)?
    ) throws -> AnyRandomAccessCollection<Animal> {
        let key = ListKey(listing)
        if let known = lists[key]?.animals {
            lists[key]?.lastShown = .now
            return AnyRandomAccessCollection(known.results)
        }
        if newLists == .fetched { return AnyRandomAccessCollection(try context.fetch(Self.descriptor(listing))) }
        let animals = try ResultsObserver<Animal, Never>(
            fetchDescriptor: Self.descriptor(listing), modelContext: context, isolation: isolation)
        if lists.count >= Self.mostLists, let oldest = lists.min(by: { $0.value.lastShown < $1.value.lastShown }) {
            lists[oldest.key] = nil
        }
        lists[key] = List(animals: animals, lastShown: .now)
        follow(animals.changes)
        return AnyRandomAccessCollection(animals.results)
    }

    /// Releases the observers of lists that no window has requested since a time.
    func releaseLists(notShownSince time: ContinuousClock.Instant) {
        lists = lists.filter { $0.value.lastShown >= time }
    }

    // MARK: Changes

    /// Reads on until the observer is released. Edits of animals that stay in their places are among the changes.
    private func follow(_ changes: ResultsChanges) {
        let onChange = onChange
        Task { for await _ in changes { onChange() } }
    }

    private func follow(_ changes: AggregateChanges<PersistentIdentifier?, Int>) {
        let onChange = onChange
        Task { for await _ in changes { onChange() } }
    }

    // MARK: Queries

    /// All matches of a search are followed, because they are counted; of other lists, those up to the end of the page.
    private static func descriptor(_ listing: Listing) -> FetchDescriptor<Animal> {
        var descriptor = FetchDescriptor(
            predicate: predicate(listing.category?.name, listing.search), sortBy: [SortDescriptor(\Animal.name)])
        if listing.isSearch { return descriptor }
        descriptor.fetchOffset = listing.first
        descriptor.fetchLimit = Listing.pageSize
        return descriptor
    }

    /// - Parameters:
    ///   - category: The name of a category; `nil` for all animals.
    ///   - search: A text that the names must contain, ignoring case and accents; empty for all animals.
    static func predicate(_ category: String?, _ search: String = "") -> Predicate<Animal>? {
        switch (category, search.isEmpty) {
        case (nil, true): return nil
        case (nil, false): return #Predicate { $0.name.localizedStandardContains(search) }
        case (let category?, true): return #Predicate { $0.category?.name == category }
        case (let category?, false):
            return #Predicate { $0.category?.name == category && $0.name.localizedStandardContains(search) }
        }
    }
}
