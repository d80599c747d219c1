import Foundation
import SwiftData

// Written as in a new Xcode project: models have no isolation, and the module's default is the main actor. Models are on no actor
// all the same, as `PersistentModel` requires; so the coding of their stored types must be on none either, or the compiler refuses
// it. Enums with raw values meet that by themselves.

enum Genre: String, Codable, CaseIterable {
    case novel, essay, poetry
}

nonisolated enum Condition: Codable {
    case new, worn, lost
}

nonisolated struct Address: Codable, Equatable {
    var street: String
    var city: String
}

@Model
final class Author {
    @Attribute(.unique) var name: String
    var address: Address?
    @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []
    @Transient var visits = 0

    init(name: String, address: Address? = nil) {
        self.name = name
        self.address = address
    }

    var shortName: String { name.split(separator: " ").last.map(String.init) ?? name }
}

@Model
final class Book {
    #Index<Book>([\.title])

    var title: String
    var year: Int
    var genre: Genre
    var condition = Condition.new
    var tags: [String] = []
    var author: Author?
    var shelves: [Shelf] = []
    var readCount = 0 {
        didSet { lastChange = "\(oldValue) to \(readCount)" }
    }
    @Transient var lastChange = ""

    init(title: String, year: Int, genre: Genre, author: Author? = nil) {
        self.title = title
        self.year = year
        self.genre = genre
        self.author = author
    }

    convenience init(draft title: String) { self.init(title: title, year: 0, genre: .essay) }

    func lose() { condition = .lost }
}

@Model
class Shelf {
    var label: String
    @Relationship(inverse: \Book.shelves) var books: [Book] = []

    init(label: String) { self.label = label }
}

@Model
final class LockedShelf: Shelf {
    var code: Int

    init(label: String, code: Int) {
        self.code = code
        super.init(label: label)
    }
}

@Model
final class Note {
    var text = ""
    var date = Date(timeIntervalSinceReferenceDate: 0)
}

@ModelActor
actor Archivist {
    func add(_ title: String, by name: String) throws -> PersistentIdentifier {
        let author = try modelContext.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == name })).first
        let book = Book(title: title, year: 2001, genre: .essay, author: author)
        book.tags = ["archive"]
        modelContext.insert(book)
        try modelContext.save()
        return book.persistentModelID
    }

    func genre(of id: PersistentIdentifier) -> String? {
        self[id, as: Book.self]?.genre.rawValue
    }

    func city(of id: PersistentIdentifier) -> String? {
        self[id, as: Author.self]?.address?.city
    }
}
