import Foundation
import SwiftData
import Testing

private enum Stage: Codable { case open, active, done }

private struct Money: Codable, Equatable {
    var amount: Int
    var currency: String
}

@Model private final class Order {
    var stage: Stage
    var price: Money
    var note: String = ""

    init(stage: Stage, price: Money) {
        self.stage = stage
        self.price = price
    }
}

@Model private final class Child {
    var name: String
    @Relationship(deleteRule: .nullify, inverse: \Toy.owner) var toys: [Toy] = []
    init(name: String) { self.name = name }
}

@Model private final class Toy {
    var name: String
    var owner: Child?
    init(name: String, owner: Child? = nil) {
        self.name = name
        self.owner = owner
    }
}

@Suite("Concurrent saves of the same rows by several contexts")
struct MergedEditTests {
    private func playroom() throws -> ModelContainer {
        try ModelContainer(
            for: Child.self, Toy.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test("DV9 An enum or a struct edited in two contexts has the value of one of them, never a mixture")
    func composites() throws {
        let container = try ModelContainer(
            for: Order.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let (one, two) = (ModelContext(container), ModelContext(container))
        one.insert(Order(stage: .open, price: Money(amount: 5, currency: "EUR")))
        try one.save()
        let (mine, theirs) = (
            try #require(try one.fetch(FetchDescriptor<Order>()).first),
            try #require(try two.fetch(FetchDescriptor<Order>()).first)
        )
        mine.stage = .done
        mine.price = Money(amount: 10, currency: "EUR")
        theirs.stage = .active
        theirs.price = Money(amount: 5, currency: "USD")
        theirs.note = "theirs"
        try two.save()
        try one.save()
        let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Order>()).first)
        #expect(read.stage == .done)
        #expect(read.price == Money(amount: 10, currency: "EUR"))
        #expect(read.note == "theirs")
    }

    @Test("A row read after a delete nullified its reference shows later saves")
    func readAfterDelete() throws {
        let container = try playroom()
        let (one, two) = (ModelContext(container), ModelContext(container))
        let mine = Toy(name: "ball", owner: Child(name: "Ann"))
        one.insert(mine)
        try one.save()

        let theirs = try #require(two.model(for: mine.persistentModelID) as? Toy)
        try one.delete(model: Child.self)
        try one.save()
        #expect(theirs.name == "ball")
        two.processPendingChanges()
        mine.name = "kite"
        try one.save()
        two.processPendingChanges()
        #expect(theirs.name == "kite")
    }

    @Test("A row read before a delete nullified its reference can be edited and saved after it")
    func readBeforeDelete() throws {
        let container = try playroom()
        let (one, two) = (ModelContext(container), ModelContext(container))
        one.insert(Toy(name: "ball", owner: Child(name: "Ann")))
        try one.save()
        let theirs = try #require(try two.fetch(FetchDescriptor<Toy>()).first)
        #expect(theirs.owner?.name == "Ann")
        try one.delete(model: Child.self)
        try one.save()
        theirs.name = "kite"
        try two.save()
        #expect(theirs.owner == nil)
        let reader = ModelContext(container)
        let read = try #require(try reader.fetch(FetchDescriptor<Toy>()).first)
        #expect(read.name == "kite")
        #expect(read.owner == nil)
    }

    @Test("Reading a relationship edits nothing, even if another context changed its members")
    func readingMembers() throws {
        let container = try playroom()
        let (one, two) = (ModelContext(container), ModelContext(container))
        let (ann, ben) = (Child(name: "Ann"), Child(name: "Ben"))
        one.insert(ann)
        one.insert(ben)
        one.insert(Toy(name: "ball", owner: ann))
        try one.save()

        let toy = try #require(try two.fetch(FetchDescriptor<Toy>()).first)
        #expect(toy.owner?.name == "Ann")
        toy.name = "kite"
        let named = FetchDescriptor<Child>(predicate: #Predicate { $0.name == "Ben" })
        let benHere = try #require(try two.fetch(named).first)
        ben.toys = ann.toys
        try one.save()
        _ = benHere.toys
        #expect(two.changedModelsArray.count == 1)
        #expect(!benHere.hasChanges)
        try two.save()
        let reader = ModelContext(container)
        let read = try #require(try reader.fetch(FetchDescriptor<Toy>()).first)
        #expect(read.name == "kite")
        #expect(read.owner?.name == "Ben")
    }

    @Test("DV15 A text in another canonical form is written as a different text")
    func canonicalForms() throws {
        let container = try playroom()
        let context = ModelContext(container)
        let child = Child(name: "e\u{301}")
        context.insert(child)
        try context.save()
        child.name = child.name.precomposedStringWithCanonicalMapping
        #expect(child.hasChanges)
        try context.save()
        let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Child>()).first)
        #expect(Array(read.name.unicodeScalars) == ["\u{E9}"])
    }
}
