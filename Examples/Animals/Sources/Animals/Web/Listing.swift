import Foundation
import SwiftData

/// Selects the animals that the middle column lists.
struct Listing: Sendable {
    /// The number of animals on one page.
    static let pageSize = 100

    /// `nil` for all animals.
    var category: ListedCategory?
    /// Counted from 1.
    var page = 1
    /// The text that names must contain; empty for all animals.
    var search = ""

    static var all: Listing { Listing() }

    var isAll: Bool { category == nil }
    var isSearch: Bool { !search.isEmpty }

    /// The position of the first animal on the page.
    var first: Int { (page - 1) * Self.pageSize }

    func at(_ page: Int) -> Listing { Listing(category: category, page: page, search: search) }

    /// This page, or the last one if the list is too short.
    func clamped(to count: Int) -> Listing {
        at(min(page, max(1, (count + Self.pageSize - 1) / Self.pageSize)))
    }
}

@MainActor
extension Listing {
    var address: String { Address.join(place, query) }

    /// The address of the list without the search text, to which the search form is sent.
    var place: String { category.map { Address.category($0.id) } ?? "/animals" }

    /// The query of the list's address, without the category.
    var query: [String] {
        var query: [String] = []
        if isSearch { query.append("q=\(Address.encoded(search))") }
        if page > 1 { query.append("page=\(page)") }
        return query
    }
}

/// Formats the addresses of pages.
@MainActor
enum Address {
    static func category(_ id: PersistentIdentifier, _ action: String? = nil) -> String {
        path("/categories/\(encoded(key(id)))", action)
    }

    static func category(_ category: AnimalCategory, _ action: String? = nil) -> String {
        self.category(category.persistentModelID, action)
    }

    static func animal(_ animal: Animal, _ action: String? = nil, in listing: Listing) -> String {
        self.animal(animal.persistentModelID, action, in: listing)
    }

    static func animal(_ id: PersistentIdentifier, _ action: String? = nil, in listing: Listing) -> String {
        join(
            path("/animals/\(encoded(key(id)))", action),
            (listing.isAll ? ["list=all"] : []) + listing.query)
    }

    /// The form for a new animal of the listed category.
    static func newAnimal(in listing: Listing) -> String {
        let category = listing.category.map { ["category=\(encoded(key($0.id)))"] } ?? []
        return join("/animals/new", category + listing.query)
    }

    static func join(_ path: String, _ query: [String]) -> String {
        query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    /// The text that identifies a model in addresses, forms and messages; `Zoo.identifier(_:)` parses it.
    nonisolated static func key(_ id: PersistentIdentifier) -> String { id.uriRepresentation().absoluteString }

    /// A text percent-encoded for a part of a path, or for a query value.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet.alphanumerics.union(["-"])

    private static func path(_ path: String, _ action: String?) -> String {
        action.map { "\(path)/\($0)" } ?? path
    }
}
