import Foundation
import SwiftData

/// The numbers of animals, in total and in each category.
///
/// All numbers of a page or a progress message come from one value of this type, so that they agree.
struct AnimalCounts: Sendable {
    /// The time of the count, in milliseconds since 1970. A window never replaces newer numbers with older ones.
    let time = Int(Date().timeIntervalSince1970 * 1000)
    /// Sorted by name.
    let categories: [ListedCategory]
    /// The number of all animals, which is the sum of the groups.
    let animals: Int
    private let byCategory: [PersistentIdentifier: Int]

    /// - Parameter groups: The numbers of animals by category; those without one are a group as well.
    init(_ categories: [ListedCategory], _ groups: [AggregateGroup<PersistentIdentifier?, Int>]) {
        self.categories = categories
        animals = groups.reduce(0) { $0 + $1.value }
        var byCategory: [PersistentIdentifier: Int] = [:]
        for group in groups {
            if let category = group.key { byCategory[category] = group.value }
        }
        self.byCategory = byCategory
    }

    /// The number of animals and categories.
    var models: Int { animals + categories.count }

    /// The number of animals in one category, or in all of them.
    func animals(in category: ListedCategory?) -> Int {
        category.map { byCategory[$0.id] ?? 0 } ?? animals
    }

    /// The category as it was counted. A save gives new categories other identifiers; no two have the same name.
    func present(_ category: ListedCategory) -> ListedCategory {
        categories.first { $0.id == category.id } ?? categories.first { $0.name == category.name } ?? category
    }
}
