import Foundation
import Testing

@testable import CoreData

/// A class as programs write them; `ManagedValueTests.Shelf` is found by the name it registers.
final class Shelf: NSManagedObject {
    @Managed var title: String
    @Managed var note: String?
    @Managed var small: Int16
    @Managed var middle: Int32
    @Managed var large: Int
    @Managed var real: Double
    @Managed var float: Float
    @Managed var flag: Bool
    @Managed var price: Decimal
    @Managed var made: Date?
    @Managed var data: Data
    @Managed var code: UUID?
    @Managed var link: URL?
    @Managed var place: [String: Any]?
    @Managed var books: [Book]
    @Managed var friends: Set<Shelf>
    @Managed var neighbour: Shelf?
}

final class Book: NSManagedObject {
    @Managed var shelf: Shelf?
}

@Suite("Managed properties")
struct ManagedValueTests {
    private static func model() -> NSManagedObjectModel {
        let types: [(String, NSAttributeDescription.AttributeType)] = [
            ("title", .string), ("note", .string), ("small", .integer16), ("middle", .integer32), ("large", .integer64),
            ("real", .double), ("float", .float), ("flag", .boolean), ("price", .decimal), ("made", .date),
            ("data", .binaryData), ("code", .uuid), ("link", .uri),
        ]
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [ModelZoo.attribute("x", .double), ModelZoo.attribute("y", .double)]
        let shelf = ModelZoo.entity("Shelf", types.map { ModelZoo.attribute($0, $1) } + [place])
        let book = ModelZoo.entity("Book")
        shelf.managedObjectClassName = String(reflecting: Shelf.self)
        book.managedObjectClassName = String(reflecting: Book.self)
        ModelZoo.relate(shelf, "books", maximum: 0, book, inverse: "shelf", maximum: 1).isOrdered = true
        ModelZoo.relate(shelf, "friends", maximum: 0, shelf, inverse: "befriended", maximum: 0)
        ModelZoo.relate(shelf, "neighbour", maximum: 1, shelf, inverse: "neighbourOf", maximum: 1)
        return ModelZoo.model([shelf, book])
    }

    private func withShelf(_ body: (Shelf, NSManagedObjectContext) throws -> Void) throws {
        let stack = try TestStack(model: Self.model())
        let object = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: stack.context)
        try body(try #require(object as? Shelf), stack.context)
    }

    @Test("Missing values read as an empty value of their type")
    func missing() throws {
        try withShelf { shelf, _ in
            #expect(shelf.title == "" && shelf.note == nil && shelf.small == 0 && shelf.large == 0)
            #expect(!shelf.flag && shelf.price == 0 && shelf.made == nil && shelf.data.isEmpty)
            #expect(shelf.books.isEmpty && shelf.friends.isEmpty && shelf.neighbour == nil && shelf.place == nil)
        }
    }

    @Test("Values of every type are returned as they were set")
    func values() throws {
        try withShelf { shelf, context in
            let (date, code) = (Date(timeIntervalSinceReferenceDate: 1.5), UUID())
            shelf.title = "Top"
            shelf.note = "dusty"
            (shelf.small, shelf.middle, shelf.large) = (-3, 70_000, 5_000_000_000)
            (shelf.real, shelf.float, shelf.flag) = (2.5, 0.25, true)
            shelf.price = Decimal(string: "9.95") ?? 0
            (shelf.made, shelf.data, shelf.code) = (date, Data([1, 2]), code)
            shelf.link = URL(string: "https://example.org/shelf")
            shelf.place = ["x": 1.0, "y": 2.0]
            func check() {
                #expect(shelf.title == "Top" && shelf.note == "dusty")
                #expect(shelf.small == -3 && shelf.middle == 70_000 && shelf.large == 5_000_000_000)
                #expect(shelf.real == 2.5 && shelf.float == 0.25 && shelf.flag)
                #expect(shelf.price == Decimal(string: "9.95"))
                #expect(shelf.made == date && shelf.data == Data([1, 2]) && shelf.code == code)
                #expect(shelf.link?.absoluteString == "https://example.org/shelf")
                #expect(shelf.place?["y"] as? Double == 2)
            }
            check()
            try context.save()
            context.refresh(shelf, mergeChanges: false)
            check()
            shelf.note = nil
            #expect(shelf.note == nil && shelf.value(forKey: "note") == nil)
        }
    }

    @Test("A dictionary result contains a composite value as a whole")
    func compositeInDictionaries() throws {
        try withShelf { shelf, context in
            shelf.title = "Top"
            shelf.place = ["x": 1.0, "y": 2.0]
            try context.save()
            let request = NSFetchRequest<NSDictionary>(entityName: "Shelf")
            request.resultType = .dictionaryResultType
            let row = try #require(try context.fetch(request).first)
            #expect(row["title"] as? String == "Top")
            #expect(row["place"] as? [String: Double] == ["x": 1, "y": 2])
        }
    }

    @Test("A property of another type than its attribute's is converted if that loses nothing, else ignored")
    func otherTypes() throws {
        try withShelf { shelf, context in
            shelf.title = "Top"
            (shelf.small, shelf.flag, shelf.large) = (-3, true, 300)
            shelf.made = Date(timeIntervalSinceReferenceDate: 1.5)
            let (wide, narrow): (Int, Int16) = (
                shelf.managedValue(forKey: "small"), shelf.managedValue(forKey: "large")
            )
            let (truth, seconds): (Int, Double) = (
                shelf.managedValue(forKey: "flag"), shelf.managedValue(forKey: "made")
            )
            let text: String? = shelf.managedValue(forKey: "large")
            #expect(wide == -3 && narrow == 300 && truth == 1 && seconds == 1.5 && text == nil)
            shelf.setManagedValue(7, forKey: "small")
            #expect(shelf.small == 7)
            shelf.setManagedValue(70_000, forKey: "small")
            #expect(shelf.small == 7)
            #expect(code { try context.save() } == 1550)
            shelf.small = 8
            try context.save()
            #expect(shelf.small == 8)
        }
    }

    @Test("Relationships are collections of the class, ordered ones are arrays")
    func relationships() throws {
        try withShelf { shelf, context in
            let books = (0..<3).compactMap { _ in
                NSEntityDescription.insertNewObject(forEntityName: "Book", into: context) as? Book
            }
            shelf.books = books
            #expect(shelf.books == books && books.first?.shelf === shelf)
            shelf.books = books.reversed()
            #expect(shelf.books == books.reversed())
            let other = try #require(
                NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context) as? Shelf)
            shelf.friends = [other]
            shelf.neighbour = other
            #expect(shelf.friends == [other] && shelf.neighbour === other)
            try context.save()
            context.refresh(shelf, mergeChanges: false)
            #expect(shelf.books == books.reversed() && shelf.friends == [other] && shelf.neighbour === other)
        }
    }

    @Test("An ordered relationship's set takes objects one by one and several at once")
    func orderedSets() throws {
        try withShelf { shelf, context in
            let books = (0..<5).compactMap { _ in
                NSEntityDescription.insertNewObject(forEntityName: "Book", into: context) as? Book
            }
            let set = shelf.mutableOrderedSetValue(forKey: "books")
            set.add(books[0])
            set.add(books[0])
            set.addObjects(from: [books[1], books[2]])
            #expect(shelf.books == [books[0], books[1], books[2]])
            set.insert([books[3], books[4]], at: IndexSet([0, 2]))
            #expect(shelf.books == [books[3], books[0], books[4], books[1], books[2]])
            set.removeObjects(at: IndexSet([0, 2]))
            #expect(shelf.books == [books[0], books[1], books[2]])
            set.replaceObjects(at: IndexSet([1]), with: [books[4]])
            #expect(shelf.books == [books[0], books[4], books[2]])
            set.remove(books[4])
            set.removeObjects(in: [books[0], books[1]])
            #expect(shelf.books == [books[2]])
            set.removeAllObjects()
            #expect(shelf.books.isEmpty && set.count == 0)
        }
    }
}
