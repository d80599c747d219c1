import Foundation
import ObjectGraph
import Testing

@testable import SwiftData

private enum EarlierItems: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Item.self] }

    @Model final class Item {
        var title: String
        init(title: String) { self.title = title }
    }
}

private enum LaterItems: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Item.self, Box.self] }

    @Model final class Item {
        var count: Int = 0
        var title: String
        init(title: String) { self.title = title }
    }

    @Model final class Box {
        var items: [Item] = []
        init() {}
    }
}

private enum Kennel {
    @Model class Creature {
        var name: String
        var nick: String
        var age: Int = 0
        init(name: String, nick: String) {
            self.name = name
            self.nick = nick
        }
    }

    @Model final class Dog: Creature {
        #Index<Dog>([\.nick], [\.name, \.tricks])
        #Unique<Dog>([\.name, \.tricks])
        var tricks: Int = 0
        override init(name: String, nick: String) { super.init(name: name, nick: nick) }
    }
}

private enum Circle {
    @Model final class Whole {
        var details: Details? = Details()
        init() {}
    }

    @Model final class Details {
        var text: String = "new"
        @Relationship(inverse: \Whole.details) var whole: Whole?
        init() {}
    }
}

@Model private final class WritableNote {
    let serial: UUID = UUID()
    var text: String
    init(text: String) {
        self.text = text
    }
}

@Suite("Model classes and their schema")
struct ModelClassTests {
    private let memory = ModelConfiguration(isStoredInMemoryOnly: true)

    @Test("A class of another version with the same name is refused by fetch and by insert")
    func otherVersion() throws {
        let container = try ModelContainer(for: Schema(versionedSchema: LaterItems.self), configurations: memory)
        let context = ModelContext(container)
        #expect(throws: SwiftDataError.unknownSchema) { try context.fetch(FetchDescriptor<EarlierItems.Item>()) }
        #expect(throws: SwiftDataError.unknownSchema) { try context.fetchCount(FetchDescriptor<EarlierItems.Item>()) }
        #expect(throws: SwiftDataError.unknownSchema) { try context.delete(model: EarlierItems.Item.self) }
        let old = EarlierItems.Item(title: "old")
        context.insert(old)
        #expect(old.modelContext == nil)
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        context.insert(LaterItems.Item(title: "new"))
        let again = EarlierItems.Item(title: "again")
        context.insert(again)
        #expect(again.modelContext == nil)
        context.delete(old)
        context.delete(again)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<LaterItems.Item>()).map(\.title) == ["new"])
    }

    @Test("Key paths of #Index and #Unique may refer to inherited properties, also several of one type")
    func inheritedKeyPaths() throws {
        let container = try ModelContainer(for: Kennel.Creature.self, Kennel.Dog.self, configurations: memory)
        let entity = try #require(container.schema.entitiesByName["Dog"])
        #expect(entity.indices == [["nick"], ["name", "tricks"]])
        #expect(entity.uniquenessConstraints == [["name", "tricks"]])
    }

    @Test("A model may have an initial value that refers back to it")
    func circularInitialValues() throws {
        let container = try ModelContainer(for: Circle.Whole.self, configurations: memory)
        let context = ModelContext(container)
        let whole = Circle.Whole()
        context.insert(whole)
        try context.save()
        #expect(whole.details?.whole === whole)
        let reader = ModelContext(container)
        let read = try #require(try reader.fetch(FetchDescriptor<Circle.Whole>()).first)
        #expect(read.details?.text == "new")
        #expect(try context.fetchCount(FetchDescriptor<Circle.Details>()) == 1)
    }

    @Test("A stored let is a constant, whatever the class is called")
    func constants() throws {
        let container = try ModelContainer(for: WritableNote.self, configurations: memory)
        let context = ModelContext(container)
        let note = WritableNote(text: "a")
        context.insert(note)
        try context.save()
        let read = try #require(try ModelContext(container).fetch(FetchDescriptor<WritableNote>()).first)
        #expect(read.serial == note.serial)
        #expect(ModelType.of(WritableNote.self).constants.count == 1)
    }
}
