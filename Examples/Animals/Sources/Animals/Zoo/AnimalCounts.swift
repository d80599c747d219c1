import Foundation
import SwiftData

/// How many animals there are, in total and in each category.
///
/// Every number of a page or of a progress message comes from one of these, so that the numbers shown together agree.
struct AnimalCounts {
    /// When the animals were counted, in milliseconds since 1970: a window never replaces newer numbers with older ones.
    let time = Int(Date().timeIntervalSince1970 * 1000)
    /// By name.
    let categories: [AnimalCategory]
    private let byCategory: [PersistentIdentifier: Int]
    private let withoutCategory: Int

    /// Reads the categories, and one count for each of them; reads no animal.
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

    /// All animals. The sum of what is counted by category, as another question might have another answer while a long
    /// task is running.
    var animals: Int { byCategory.values.reduce(withoutCategory, +) }

    /// Animals and categories.
    var models: Int { animals + categories.count }

    /// The animals of one category, or all of them.
    func animals(in category: AnimalCategory?) -> Int {
        category.map { byCategory[$0.persistentModelID] ?? 0 } ?? animals
    }
}
