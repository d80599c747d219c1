import Foundation
import SwiftData
import Testing

enum TaskState: String, Codable, CaseIterable { case open, running, done }
enum TaskWeight: Int, Codable { case light = 1, heavy = 10 }

@Model
final class Assignment {
    var title: String
    var state: TaskState
    var weight: TaskWeight?

    init(_ title: String, _ state: TaskState, _ weight: TaskWeight? = nil) {
        self.title = title
        self.state = state
        self.weight = weight
    }
}

enum TourSchema1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Stop.self] }

    @Model
    final class Stop {
        var name = ""
        init() {}
    }
}

enum TourSchema2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Stop.self] }

    @Model
    final class Stop {
        var name = ""
        var city = ""
        init() {}
    }
}

enum TourPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TourSchema2.self] }
    static var stages: [MigrationStage] { [] }
}

@Suite("Smaller declarations of OS 27")
struct NewDeclarationsTests {
    private func memory() throws -> ModelContainer {
        try ModelContainer(for: Assignment.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test("An identifier is temporary until the save")
    func isTemporary() throws {
        let context = ModelContext(try memory())
        let task = Assignment("a", .open)
        #expect(task.persistentModelID.isTemporary)
        context.insert(task)
        #expect(task.persistentModelID.isTemporary)
        if task.persistentModelID.isTemporary { try context.save() }
        let data = try JSONEncoder().encode(task.persistentModelID)
        #expect(!task.persistentModelID.isTemporary)
        #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: data).isTemporary == false)
    }

    @Test("Enums with raw values are compared in predicates")
    func enums() throws {
        let context = ModelContext(try memory())
        for (title, state, weight) in [("a", TaskState.open, TaskWeight.light), ("b", .done, .heavy)] {
            context.insert(Assignment(title, state, weight))
        }
        context.insert(Assignment("c", .running))
        try context.save()
        func titles(_ predicate: Predicate<Assignment>) throws -> [String] {
            try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(\.title)
        }
        let wanted = TaskState.done
        #expect(try titles(#Predicate { $0.state == wanted }) == ["b"])
        #expect(try titles(#Predicate { $0.state != .done }) == ["a", "c"])
        #expect(try titles(#Predicate { $0.weight == .heavy }) == ["b"])
        #expect(try titles(#Predicate { $0.weight == nil }) == ["c"])
        let states: Set<TaskState> = [.open, .running]
        #expect(try titles(#Predicate { states.contains($0.state) }) == ["a", "c"])
        #expect(try titles(#Predicate { $0.state.rawValue == "open" }) == ["a"])
    }

    @Test("Predicates are joined at run time")
    func compounds() throws {
        let context = ModelContext(try memory())
        for (title, state) in [("a", TaskState.open), ("b", .open), ("c", .done)] {
            context.insert(Assignment(title, state))
        }
        try context.save()
        let open = #Predicate<Assignment> { $0.state == .open }
        let named = #Predicate<Assignment> { $0.title == "b" }
        let all = Predicate(all: [open, named])
        let any = Predicate(any: [named, #Predicate<Assignment> { $0.state == .done }])
        func count(_ predicate: Predicate<Assignment>) throws -> Int {
            try context.fetchCount(FetchDescriptor(predicate: predicate))
        }
        #expect(try count(all) == 1)
        #expect(try count(any) == 2)
        #expect(try count(Predicate(all: [])) == 3)
        #expect(try count(Predicate(any: [])) == 0)
        #expect(try count(#Predicate { open.evaluate($0) && !named.evaluate($0) }) == 1)
    }

    @Test("A store of a version outside the plan is refused as one of an unknown schema")
    func unknownDataStoreSchema() throws {
        let folder = try TestFile()
        let configuration = ModelConfiguration(url: folder.url)
        do {
            let context = ModelContext(try ModelContainer(for: TourSchema1.Stop.self, configurations: configuration))
            context.insert(TourSchema1.Stop())
            try context.save()
        }
        do {
            _ = try ModelContainer(
                for: TourSchema2.Stop.self, migrationPlan: TourPlan.self, configurations: configuration)
            Issue.record("The store was opened.")
        } catch SwiftDataError.unknownDataStoreSchema {
            // As expected.
        }
    }

    @Test("Stores and configurations are found by each other's names")
    func configurations() throws {
        let folder = try TestFile()
        let container = try ModelContainer(
            for: Assignment.self, TourSchema1.Stop.self,
            configurations: ModelConfiguration("work", schema: Schema([Assignment.self]), url: folder.url),
            ModelConfiguration(schema: Schema([TourSchema1.Stop.self]), isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let task = Assignment("a", .open)
        context.insert(task)
        try context.save()
        let store = try #require(task.persistentModelID.storeIdentifier)
        #expect(container.storeIdentifier(forConfigurationNamed: "work") == store)
        #expect(container.configurationName(forStoreIdentifier: store) == "work")
        let other = try #require(container.storeIdentifier(forConfigurationNamed: "default"))
        #expect(other != store && container.configurationName(forStoreIdentifier: other) == "default")
        #expect(container.storeIdentifier(forConfigurationNamed: "none") == nil)
        #expect(container.configurationName(forStoreIdentifier: "none") == nil)
    }

    @Test("erase() replaces deleteAllData(), which is deprecated")
    @available(*, deprecated)
    func deleteAllData() throws {
        let container = try memory()
        let context = ModelContext(container)
        context.insert(Assignment("a", .open))
        try context.save()
        container.deleteAllData()
        #expect(try context.fetchCount(FetchDescriptor<Assignment>()) == 0)
    }
}

/// A place for a store's file, which is removed with the test.
final class TestFile {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        UUID().uuidString, isDirectory: true)
    var url: URL { folder.appendingPathComponent("test.store") }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
