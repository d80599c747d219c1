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
    private let byCategory: [PersistentIdentifier: Int]
    private let withoutCategory: Int

    /// Fetches the categories and one count for each of them, but no animals.
    init(_ context: ModelContext) throws {
        categories = try context.fetch(FetchDescriptor<AnimalCategory>(sortBy: [SortDescriptor(\.name)]))
        var counts: [PersistentIdentifier: Int] = [:]
        for category in categories {
            let name = category.name
            counts[category.persistentModelID] = try context.fetchCount(
                FetchDescriptor<Animal>(predicate: #Predicate { $0.category?.name == name }))
        }
        byCategory = counts
        withoutCategory = try context.fetchCount(FetchDescriptor<Animal>(predicate: #Predicate { $0.category == nil }))
    }

    /// The number of all animals. It is the sum of the counts by category, as a separate count could differ while a
    /// long task is running.
    var animals: Int { byCategory.values.reduce(withoutCategory, +) }

    /// The number of animals and categories.
    var models: Int { animals + categories.count }

    /// The number of animals in one category, or in all of them.
    func animals(in category: AnimalCategory?) -> Int {
        category.map { byCategory[$0.persistentModelID] ?? 0 } ?? animals
    }
}
