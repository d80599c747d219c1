import SwiftData

/// Which animals the middle column lists.
enum Listing {
    case all
    case category(AnimalCategory)

    @MainActor
    var address: String {
        switch self {
        case .all: "/animals"
        case .category(let category): Address.category(category)
        }
    }

    var category: AnimalCategory? {
        if case .category(let category) = self { category } else { nil }
    }

    var isAll: Bool { category == nil }
}

/// Spells the addresses of pages.
@MainActor
enum Address {
    static func category(_ category: AnimalCategory, _ action: String? = nil) -> String {
        join("/categories/\(ModelKey.text(category.persistentModelID))", action)
    }

    static func animal(_ animal: Animal, _ action: String? = nil, in listing: Listing) -> String {
        let path = join("/animals/\(ModelKey.text(animal.persistentModelID))", action)
        return listing.isAll ? "\(path)?list=all" : path
    }

    /// The form for a new animal of the listed category.
    static func newAnimal(in listing: Listing) -> String {
        guard let category = listing.category else { return "/animals/new" }
        return "/animals/new?category=\(ModelKey.text(category.persistentModelID))"
    }

    private static func join(_ path: String, _ action: String?) -> String {
        action.map { "\(path)/\($0)" } ?? path
    }
}
