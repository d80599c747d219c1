import Dispatch
import Foundation
import SQLiteStore
import SwiftData
import Testing

private enum Deviating {
    struct Size: Codable, Equatable {
        var width: Int?
        var height: Int?
    }

    struct Palette: Codable, Equatable {
        var names: [String] = []
    }

    @Model
    final class Item {
        var name: String = "unnamed"
        var count: Int
        var size: Size?
        var palette = Palette()
        var tags: [String] = []
        @Attribute(.preserveValueOnDeletion) var label: String?
        @Attribute(.preserveValueOnDeletion) var lastSize: Size?

        init(count: Int) { self.count = count }
    }

    @Model
    final class Plain {
        var name: String = "plain"
        var size: Size?
    }

    @Model
    class Base {
        var title: String

        init(title: String) { self.title = title }
    }

    @Model
    final class Derived: Base {
        var depth: Int

        init(title: String, depth: Int) {
            self.depth = depth
            super.init(title: title)
        }
    }
}

@ModelActor
private actor Worker {
    func specific(_ mark: DispatchSpecificKey<Bool>) -> Bool? { DispatchQueue.getSpecific(key: mark) }
}

/// Differences from Apple's frameworks that belong to no other suite.
@Suite("Deviations")
struct DeviationTests {
    private typealias Item = Deviating.Item

    private let folder: TestFolder
    private var url: URL { folder.url.appendingPathComponent("items.store") }

    init() throws { folder = try TestFolder() }

    private func context() throws -> ModelContext {
        ModelContext(try ModelContainer(for: Item.self, configurations: ModelConfiguration(url: url)))
    }

    private func onlyItem() throws -> Item { try #require(try context().fetch(FetchDescriptor<Item>()).first) }

    @Test("DV65 A class whose properties all have defaults needs no initializer")
    func plainInitializer() throws {
        let container = try ModelContainer(
            for: Deviating.Plain.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Deviating.Plain())
        try context.save()
        let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Deviating.Plain>()).first)
        #expect(read.name == "plain" && read.size == nil)
    }

    @Test("DV4 A value that is NULL in the store reads as the property's default, else as an empty value")
    func missingValues() throws {
        let context = try context()
        let item = Item(count: 7)
        item.name = "given"
        item.tags = ["a"]
        context.insert(item)
        try context.save()
        try Connection(.file(url), access: .readWrite).execute(
            "UPDATE ZITEM SET ZNAME = NULL, ZCOUNT = NULL, ZTAGS = NULL")
        let read = try onlyItem()
        #expect(read.name == "unnamed")
        #expect(read.count == 0)
        #expect(read.tags == [])
    }

    @Test("DV20 A collection is a keyed archive on a model, and JSON inside a struct")
    func collections() throws {
        let context = try context()
        let item = Item(count: 1)
        item.tags = ["x", "y"]
        item.palette = Deviating.Palette(names: ["red"])
        context.insert(item)
        try context.save()
        let (tags, names) = try Connection(.file(url), access: .readOnly).withStatement(
            "SELECT ZTAGS, ZNAMES FROM ZITEM"
        ) { statement in
            _ = try statement.step()
            return (statement.optionalBytes(at: 0), statement.optionalBytes(at: 1))
        }
        let archived = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [NSArray.self, NSString.self], from: try #require(tags))
        #expect(archived as? [String] == ["x", "y"])
        #expect(try JSONDecoder().decode([String].self, from: try #require(names)) == ["red"])
    }

    @Test("DV36 A container keeps the configurations it was opened with, even if configurations is set")
    func configurations() throws {
        let container = try context().container
        container.configurations = []
        #expect(container.configurations.map(\.url) == [url])
    }

    @Test("DV50 An optional struct whose members are all nil is nil")
    func emptyStruct() throws {
        let context = try context()
        let item = Item(count: 1)
        item.size = Deviating.Size()
        context.insert(item)
        try context.save()
        #expect(try onlyItem().size == nil)
        item.size = Deviating.Size(width: 3)
        try context.save()
        #expect(try onlyItem().size == Deviating.Size(width: 3))
    }

    @Test("DV51 A model actor made on the main actor runs on another queue") @MainActor
    func actorQueue() async throws {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        defer { DispatchQueue.main.setSpecific(key: mark, value: nil) }
        #expect(DispatchQueue.getSpecific(key: mark) == true)
        let worker = Worker(modelContainer: try context().container)
        #expect(await worker.specific(mark) == nil)
    }

    @Test("DV58 History lists properties of the class itself, and keeps no value of several columns")
    func history() throws {
        let context = ModelContext(
            try ModelContainer(
                for: Item.self, Deviating.Derived.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let item = Item(count: 1)
        item.label = "kept"
        item.lastSize = Deviating.Size(width: 1, height: 2)
        let derived = Deviating.Derived(title: "a", depth: 1)
        context.insert(item)
        context.insert(derived)
        try context.save()
        derived.title = "b"
        derived.depth = 2
        context.delete(item)
        try context.save()
        let last = try #require(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
        var attributes: [AnyKeyPath] = []
        var values: [String] = []
        for change in last.changes {
            switch change {
            case .update(let update as DefaultHistoryUpdate<Deviating.Derived>):
                attributes = update.updatedAttributes.map { $0 }
            case .delete(let delete as DefaultHistoryDelete<Item>):
                values = delete.tombstone.map { "\($0)" }
            default: Issue.record("\(change)")
            }
        }
        #expect(attributes == [\Deviating.Derived.depth])
        #expect(values == ["kept"])
    }

    @Test("MG8 An archived deletion cannot be restored after a migration")
    func keptThroughMigration() throws {
        let file = try LibraryFile()
        try file.fill()
        let token = try {
            let context = ModelContext(try file.container(Library1.self))
            return try #require(try context.deletionPlan(for: Library1.Writer.self).executeAndArchive())
        }()
        let container = try file.container(Library2.self)
        #expect(throws: DeletionError.self) { try container.restore(token) }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Library2.Writer>()) == 0)
    }
}
