import Foundation
import SwiftData
import Testing

@Model
final class Person {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \House.owner) var houses: [House] = []
    @Relationship(deleteRule: .nullify, inverse: \Passport.holder) var passport: Passport?
    @Relationship(minimumModelCount: 0, maximumModelCount: 2, inverse: \Person.fans) var idols: [Person] = []
    var fans: [Person] = []
    var best: Person?

    init(name: String) {
        self.name = name
    }
}

@Model
final class House {
    var street: String
    var owner: Person?
    @Relationship(deleteRule: .cascade, inverse: \Room.house) var rooms: [Room]? = []

    init(street: String, owner: Person? = nil) {
        self.street = street
        self.owner = owner
    }
}

@Model
final class Room {
    var label: String
    var house: House

    init(label: String, house: House) {
        self.label = label
        self.house = house
    }
}

@Model
final class Passport {
    var number: Int
    var holder: Person?

    init(number: Int) {
        self.number = number
    }
}

@Suite("Relationships and delete rules")
struct RelationshipTests {
    @Test("DV76 Models without a context maintain inverses: a model given to two lists of owners is in the second")
    func withoutContext() {
        let house = House(street: "Elm")
        let (first, second) = (Person(name: "first"), Person(name: "second"))
        first.houses = [house]
        #expect(house.owner === first)
        second.houses = [house]
        #expect(first.houses.isEmpty && second.houses.first === house && house.owner === second)
    }

    private func context() throws -> ModelContext {
        ModelContext(
            try ModelContainer(
                for: Person.self, House.self, Room.self, Passport.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    }

    @Test("A deny rule refuses the delete at save with 1600, and nothing is deleted")
    func deny() throws {
        let context = try context()
        let ann = Person(name: "Ann")
        let house = House(street: "Main", owner: ann)
        context.insert(house)
        try context.save()
        context.delete(ann)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 1600)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Person>()) == 1)
        context.delete(house)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Person>()) == 0)
    }

    @Test("A one-to-one relationship maintains both ends, whichever is set")
    func oneToOne() throws {
        let context = try context()
        let ann = Person(name: "Ann")
        let bob = Person(name: "Bob")
        let passport = Passport(number: 1)
        [ann, bob].forEach(context.insert)
        ann.passport = passport
        #expect(passport.holder === ann)
        passport.holder = bob
        #expect(ann.passport == nil)
        #expect(bob.passport === passport)
        try context.save()
        let other = ModelContext(context.container)
        let read = try #require(try other.fetch(FetchDescriptor<Passport>()).first)
        #expect(read.holder?.name == "Bob")
        #expect(read.holder?.passport === read)
        other.delete(read)
        try other.save()
        let third = ModelContext(context.container)
        #expect(try third.fetch(FetchDescriptor<Person>()).allSatisfy { $0.passport == nil })
    }

    @Test("A many-to-many relationship within one class keeps both directions apart")
    func manyToManySelf() throws {
        let context = try context()
        let ann = Person(name: "Ann")
        let bob = Person(name: "Bob")
        let cid = Person(name: "Cid")
        ann.idols = [bob, cid]
        context.insert(ann)
        #expect(bob.fans == [ann])
        try context.save()
        bob.fans = []
        cid.fans.append(bob)
        try context.save()
        let other = ModelContext(context.container)
        let people = Dictionary(
            uniqueKeysWithValues: try other.fetch(FetchDescriptor<Person>()).map { ($0.name, $0) })
        #expect(people["Ann"]?.idols.map(\.name) == ["Cid"])
        #expect(people["Cid"]?.fans.map(\.name) == ["Ann", "Bob"])
        #expect(people["Bob"]?.idols.map(\.name) == ["Cid"])
    }

    @Test("Too many members are refused at save with 1590")
    func maximumCount() throws {
        let context = try context()
        let ann = Person(name: "Ann")
        ann.idols = ["B", "C", "D"].map(Person.init)
        context.insert(ann)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 1590)
        ann.idols.removeLast()
        try context.save()
    }

    @Test("A mandatory destination nullified by a delete is refused with 1570, unless the owner is deleted too")
    func mandatory() throws {
        let context = try context()
        let house = House(street: "Main")
        let room = Room(label: "Kitchen", house: house)
        context.insert(room)
        try context.save()
        #expect(house.rooms == [room])
        house.rooms = []
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 1570)
        context.rollback()
        #expect(house.rooms == [room])
        context.delete(house)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Room>()) == 0)
    }

    @Test("A relationship without inverse reads as nil once its destination is deleted")
    func dangling() throws {
        let context = try context()
        let ann = Person(name: "Ann")
        ann.best = Person(name: "Bob")
        context.insert(ann)
        try context.save()
        let bob = try #require(ann.best)
        context.delete(bob)
        try context.save()
        #expect(ann.best == nil)
        let other = ModelContext(context.container)
        #expect(try other.fetch(FetchDescriptor<Person>()).first?.best == nil)
    }

    @Test("Objects linked before any is inserted are inserted together, and no others")
    func detachedGraphs() throws {
        let context = try context()
        let ann = Person(name: "Ann")
        let house = House(street: "Main", owner: ann)
        let lone = Person(name: "Lone")
        house.owner = lone
        house.owner = ann
        context.insert(house)
        #expect(ann.modelContext === context)
        #expect(lone.modelContext == nil)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Person>()).map(\.name) == ["Ann"])
    }
}
