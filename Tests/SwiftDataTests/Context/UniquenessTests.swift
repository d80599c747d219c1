import Foundation
import SwiftData
import Testing

private enum Unique {
    enum Slot: Codable {
        case morning, noon, evening
    }

    struct Place: Codable, Equatable {
        var city: String
        var street: String?
    }

    @Model
    final class Booking {
        @Attribute(.unique) var slot: Slot?
        @Attribute(.unique) var place: Place?
        var note: String = ""

        init(_ note: String, slot: Slot? = nil, place: Place? = nil) {
            self.note = note
            self.slot = slot
            self.place = place
        }
    }

    @Model
    final class Shop {
        #Unique<Shop>([\.place.city, \.kind])
        var place: Place
        var kind: String

        init(_ city: String, _ street: String?, kind: String) {
            place = Place(city: city, street: street)
            self.kind = kind
        }
    }

    @Model
    final class Tour {
        #Unique<Tour>([\.name, \.guests])
        var name: String = ""
        var guests: [Guest] = []
        init() {}
    }

    @Model
    final class Guest {
        var name: String = ""
        var tour: Tour?
        init() {}
    }

    @Model
    final class Draft {
        #Unique<Draft>([\.name, \.isSelected])
        var name: String = ""
        @Attribute(.ephemeral) var isSelected: Bool = false
        init() {}
    }

    @Model
    final class Person {
        var name: String
        @Relationship(.unique, inverse: nil) var passport: Passport?

        init(_ name: String, passport: Passport? = nil) {
            self.name = name
            self.passport = passport
        }
    }

    @Model
    final class Passport {
        var number: Int
        init(_ number: Int) { self.number = number }
    }

    @Model
    final class Reader {
        @Relationship(.unique, inverse: \Book.readers) var books: [Book] = []
        init() {}
    }

    @Model
    final class Book {
        var readers: [Reader] = []
        init() {}
    }

    @Model
    final class Shelf {
        @Relationship(.unique, inverse: \Volume.shelf) var volumes: [Volume] = []
        init() {}
    }

    @Model
    final class Volume {
        var shelf: Shelf?
        init() {}
    }
}

@Suite("Uniqueness constraints")
struct UniquenessTests {
    private func container(_ types: any PersistentModel.Type...) throws -> ModelContainer {
        try ModelContainer(for: Schema(types), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    private func refusal(_ types: any PersistentModel.Type...) -> String {
        do {
            _ = try ModelContainer(
                for: Schema(types), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
            return ""
        } catch {
            return String(describing: error)
        }
    }

    @Test("Constraints on properties without a column are refused when the container is made")
    func unsuitable() {
        #expect(refusal(Unique.Tour.self, Unique.Guest.self).contains("uniqueness constraint on 'guests'"))
        #expect(refusal(Unique.Draft.self).contains("uniqueness constraint on 'isSelected'"))
    }

    @Test("DV59 An enum without raw values is unique: inserting updates, editing is refused")
    func enums() throws {
        let context = ModelContext(try container(Unique.Booking.self))
        for slot in [nil, nil, Unique.Slot.morning, .noon] { context.insert(Unique.Booking("first", slot: slot)) }
        try context.save()
        context.insert(Unique.Booking("second", slot: .noon))
        try context.save()
        let all = try context.fetch(FetchDescriptor<Unique.Booking>())
        #expect(all.count == 4)
        #expect(all.filter { $0.slot == .noon }.map(\.note) == ["second"])
        let morning = try #require(all.first { $0.slot == .morning })
        morning.slot = .noon
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 133021)
        morning.slot = .evening
        try context.save()
        // Two rows may swap their unique values.
        let noon = try #require(all.first { $0.slot == .noon })
        (morning.slot, noon.slot) = (.noon, .evening)
        try context.save()
        #expect(try ModelContext(context.container).fetch(FetchDescriptor<Unique.Booking>()).count == 4)
    }

    @Test("DV59 Two new models with the same enum in one save are one row")
    func enumsInOneSave() throws {
        let context = ModelContext(try container(Unique.Booking.self))
        context.insert(Unique.Booking("first", slot: .noon))
        context.insert(Unique.Booking("second", slot: .noon))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Unique.Booking>()).map(\.note) == ["second"])
    }

    @Test("DV59 A struct with some nil members is unique, a nil struct is unconstrained")
    func structs() throws {
        let context = ModelContext(try container(Unique.Booking.self))
        let rome = Unique.Place(city: "Rome", street: nil)
        context.insert(Unique.Booking("first", place: rome))
        context.insert(Unique.Booking("none"))
        context.insert(Unique.Booking("none"))
        try context.save()
        context.insert(Unique.Booking("second", place: rome))
        context.insert(Unique.Booking("corso", place: Unique.Place(city: "Rome", street: "Corso")))
        try context.save()
        let notes = try context.fetch(FetchDescriptor<Unique.Booking>()).map(\.note)
        #expect(notes.sorted() == ["corso", "none", "none", "second"])
    }

    @Test("A member of a struct may be part of a constraint")
    func parts() throws {
        let context = ModelContext(try container(Unique.Shop.self))
        context.insert(Unique.Shop("Rome", "Corso", kind: "shoes"))
        context.insert(Unique.Shop("Rome", "Corso", kind: "books"))
        try context.save()
        context.insert(Unique.Shop("Rome", "Veneto", kind: "books"))
        try context.save()
        let all = try context.fetch(FetchDescriptor<Unique.Shop>())
        #expect(Set(all.map { "\($0.kind) \($0.place.street ?? "")" }) == ["shoes Corso", "books Veneto"])
    }

    @Test("DV60 A second owner of a unique destination is refused, and nothing is merged")
    func owners() throws {
        let context = ModelContext(try container(Unique.Person.self, Unique.Passport.self))
        let passport = Unique.Passport(1)
        let ann = Unique.Person("Ann", passport: passport)
        context.insert(ann)
        context.insert(Unique.Person("Cid"))
        try context.save()
        let bob = Unique.Person("Bob", passport: passport)
        context.insert(bob)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 133021)
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<Unique.Person>())
        #expect(stored.map(\.name).sorted() == ["Ann", "Cid"])
        // In one save, it may move from one owner to another.
        ann.passport = nil
        try context.save()
        #expect(ann.passport == nil && bob.passport === passport)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Unique.Person>()) == 3)
    }

    @Test("DV60 A unique to-many relationship needs a to-one inverse")
    func manyOwners() throws {
        #expect(refusal(Unique.Reader.self, Unique.Book.self).contains("'Reader.books' is unique"))
        let context = ModelContext(try container(Unique.Shelf.self, Unique.Volume.self))
        let (first, second, volume) = (Unique.Shelf(), Unique.Shelf(), Unique.Volume())
        context.insert(first)
        context.insert(second)
        first.volumes = [volume]
        try context.save()
        second.volumes = [volume]
        try context.save()
        #expect(first.volumes.isEmpty && volume.shelf === second)
    }

    @Test("An edit to another model's unique value is refused with 133021, and can be saved once it is changed")
    func clashingEdits() throws {
        let context = ModelContext(try makeZoo())
        let (first, second) = (AnimalCategory(name: "a"), AnimalCategory(name: "b"))
        context.insert(first)
        context.insert(second)
        try context.save()
        second.name = "a"
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 133021)
        #expect(error?.userInfo["NSValidationErrorObject"] as? PersistentIdentifier == second.persistentModelID)
        #expect(error?.userInfo["NSValidationErrorKey"] as? String == "name")
        #expect(context.hasChanges)
        second.name = "c"
        try context.save()
        #expect(Set(try context.fetch(FetchDescriptor<AnimalCategory>()).map(\.name)) == ["a", "c"])
    }

    @Test("DV61 A model of one class never replaces the row of another one")
    func classes() throws {
        let context = ModelContext(
            try container(Trip.self, BusinessTrip.self, Conference.self, Stop.self))
        context.insert(Trip(name: "Alps", days: 7))
        try context.save()
        context.insert(BusinessTrip(name: "Alps", perDiem: 5))
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 133021)
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<Trip>())
        #expect(stored.map(\.days) == [7] && !(stored[0] is BusinessTrip))
    }
}
