import Foundation
import enum FoundationPredicates.KeyPathText
import Testing

@testable import CoreData

/// Properties that a program may declare. None is in a model: names are found without one.
private class Thing: NSManagedObject {
    enum Kind: Int16 { case plain, special }

    @Managed var name: String
    @Managed var note: String?
    @Managed var age: Int16
    @Managed var isTame: Bool
    @Managed var token: UUID?
    @Managed var link: URL
    @Managed var price: NSDecimalNumber?
    @Managed var count: NSNumber
    @Managed var kind: Kind
    @Managed var place: [String: Any]?
    @Managed var color: Paint?
    @Managed var owner: Person?
    @Managed var maker: Person
    @Managed var friends: Set<Person>
    @Managed var followers: NSSet?
    @Managed var steps: NSOrderedSet

    var isWild: Bool { !isTame }
    var both: String { "\(age) \(isTame)" }
    var title: String { note ?? name }
    var five: Int { 5 }
    var itself: Thing { self }
}

private final class Special: Thing {
    @Managed var extra: Date?
    private(set) var changes = 0

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        if name.isEmpty { extra = Date() }
        changes += 1
    }
}

private final class Person: NSManagedObject {
    @Managed var name: String?
    @Managed var best: Thing?
}

private final class Paint: NSObject {
    let shade = 1
}

@Suite("Names of key paths")
struct KeyPathTextTests {
    private func text<Value>(_ keyPath: KeyPath<Thing, Value>) -> String? { KeyPathText.text(of: keyPath) }

    @Test("Managed properties of every type have their names")
    func properties() {
        #expect(text(\.name) == "name" && text(\.note) == "note" && text(\.age) == "age" && text(\.isTame) == "isTame")
        #expect(text(\.token) == "token" && text(\.link) == "link" && text(\.price) == "price")
        #expect(
            text(\.count) == "count" && text(\.kind) == "kind" && text(\.place) == "place" && text(\.color) == "color")
        #expect(text(\.owner) == "owner" && text(\.maker) == "maker" && text(\.friends) == "friends")
        #expect(text(\.followers) == "followers" && text(\.steps) == "steps")
    }

    @Test("Sort descriptors and expressions accept key paths of managed properties")
    func uses() {
        #expect(NSSortDescriptor(keyPath: \Thing.name, ascending: true).key == "name")
        #expect(NSSortDescriptor(keyPath: \Thing.age, ascending: false).key == "age")
        #expect(NSExpression(forKeyPath: \Thing.isTame).keyPath == "isTame")
    }

    @Test("Key paths may follow relationships and start at subclasses")
    func paths() {
        #expect(text(\.owner?.name) == "owner.name" && text(\.maker.name) == "maker.name")
        #expect(text(\.owner?.best?.maker.best) == "owner.best.maker.best")
        #expect(KeyPathText.text(of: \Special.extra) == "extra")
        #expect(KeyPathText.text(of: \Special.owner?.name) == "owner.name")
    }

    @Test("The object itself and its identifier have names too")
    func identity() {
        #expect(text(\.self) == "self" && text(\.objectID) == "objectID" && text(\.owner?.self) == "owner")
        #expect(KeyPathText.text(of: \NSManagedObject.objectID) == "objectID")
    }

    @Test("CD59 Computed values and properties that are not managed have no name")
    func nameless() {
        #expect(text(\.five) == nil && text(\.both) == nil && text(\.isWild) == nil && text(\.title) == nil)
        #expect(text(\.name.count) == nil && text(\.note?.count) == nil && text(\.name.localizedUppercase) == nil)
        #expect(text(\.color?.shade) == nil && text(\.friends.count) == nil)
        #expect(NSSortDescriptor(keyPath: \Thing.five, ascending: true).key == nil)
    }

    @Test("Requests sort by key paths of a class as the program declares it")
    func fetching() throws {
        let stack = try TestStack()
        for (name, age) in [("b", 1), ("a", 2), ("a", 1)] { stack.insert("Animal", ["name": name, "age": age]) }
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Thing.name, ascending: true),
            NSSortDescriptor(keyPath: \Thing.age, ascending: false),
        ]
        let found = try stack.context.fetch(request).map {
            "\($0.value(forKey: "name") ?? "")\($0.value(forKey: "age") ?? "")"
        }
        #expect(found == ["a2", "a1", "b1"])
    }
}
