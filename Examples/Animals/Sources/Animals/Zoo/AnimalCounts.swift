import Foundation
import SwiftData

/// The numbers of animals, in total and in each category.
///
/// All numbers of a page or a progress message come from one value of this type, so that they agree.
struct AnimalCounts {
    /// The time of the count, in milliseconds since 1970. A window never replaces newer numbers with older ones.
    let time = Int(Date().timeIntervalSince1970 * 1000)
    /// Sorted by name.
    let categories: [AnimalCategory]
    /// The number of all animals, which is the sum of the groups.
    let animals: Int
    private let byCategory: [PersistentIdentifier: Int]

    /// - Parameter groups: The number of animals of each category, and of those without one.
    init(_ categories: [AnimalCategory], _ groups: [AggregateGroup<AnimalCategory?, Int>]) {
        self.categories = categories
        var byCategory: [PersistentIdentifier: Int] = [:]
        for group in groups {
            if let category = group.key { byCategory[category.persistentModelID] = group.value }
        }
        self.byCategory = byCategory
        animals = groups.reduce(0) { $0 + $1.value }
    }

    /// The number of animals and categories.
    var models: Int { animals + categories.count }

    /// The number of animals in one category, or in all of them.
    func animals(in category: AnimalCategory?) -> Int {
        category.map { byCategory[$0.persistentModelID] ?? 0 } ?? animals
    }
}
