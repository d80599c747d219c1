import SwiftData

/// Which animals the middle column lists.
@MainActor
struct Listing {
    /// `nil` for all animals.
    var category: AnimalCategory?
    /// The first one is 1.
    var page = 1

    static var all: Listing { Listing() }

    var address: String {
        let address = category.map { Address.category($0) } ?? "/animals"
        return page > 1 ? "\(address)?page=\(page)" : address
    }

    func at(_ page: Int) -> Listing { Listing(category: category, page: page) }

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
        let query = [listing.isAll ? "list=all" : nil, listing.page > 1 ? "page=\(listing.page)" : nil]
            .compactMap(\.self).joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
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
