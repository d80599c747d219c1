import Foundation
import SwiftData
import TestSupport
import Testing

enum Tasks1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Todo.self, Folder.self] }

    @Model final class Todo {
        var name: String
        init(name: String) { self.name = name }
    }

    @Model final class Folder {
        var name: String
        init(name: String) { self.name = name }
    }
}

enum Tasks2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Todo.self, Folder.self] }

    @Model final class Todo {
        var name: String
        var size: String
        var folder: Folder
        init(name: String, size: String, folder: Folder) {
            self.name = name
            self.size = size
            self.folder = folder
        }
    }

    @Model final class Folder {
        var name: String
        init(name: String) { self.name = name }
    }
}

/// One more mandatory property.
enum Tasks3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)
    static var models: [any PersistentModel.Type] { [Todo.self, Folder.self] }

    @Model final class Todo {
        var name: String
        var size: String
        var folder: Folder
        init(name: String, size: String, folder: Folder) {
            self.name = name
            self.size = size
            self.folder = folder
        }
    }

    @Model final class Folder {
        var name: String
        var colour: String
        init(name: String, colour: String) {
            self.name = name
            self.colour = colour
        }
    }
}

/// Stages with code that empty tables before the models change.
@Suite("Migrations of emptied tables", .serialized)
struct EmptiedTableTests {
    private final class TasksFile {
        private let folder: TemporaryFolder
        var url: URL { folder.appendingPathComponent("tasks.store") }

        init() throws { folder = try TemporaryFolder() }

        func container(
            _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil
        ) throws -> ModelContainer {
            try ModelContainer(
                for: Schema(versionedSchema: version), migrationPlan: plan,
                configurations: ModelConfiguration(url: url))
        }

        func fill(todos: Int) throws {
            let context = ModelContext(try container(Tasks1.self))
            for number in 0..<todos { context.insert(Tasks1.Todo(name: "\(number)")) }
            context.insert(Tasks1.Folder(name: "Home"))
            try context.save()
        }
    }

    enum EmptyingPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [Tasks1.self, Tasks2.self] }
        static var stages: [MigrationStage] {
            [
                .custom(
                    fromVersion: Tasks1.self, toVersion: Tasks2.self,
                    willMigrate: { context in
                        try context.delete(model: Tasks1.Todo.self)
                        try context.save()
                    },
                    didMigrate: { context in
                        let home = try context.fetch(FetchDescriptor<Tasks2.Folder>()).first
                        context.insert(Tasks2.Todo(name: "new", size: "big", folder: home ?? .init(name: "None")))
                        try context.save()
                    })
            ]
        }
    }

    @Test("MG2 a stage with code may empty a table whose entity then gets new mandatory properties", arguments: [0, 3])
    func emptied(todos: Int) throws {
        let file = try TasksFile()
        try file.fill(todos: todos)
        let context = ModelContext(try file.container(Tasks2.self, EmptyingPlan.self))
        let todo = try #require(try context.fetch(FetchDescriptor<Tasks2.Todo>()).first)
        #expect(todo.name == "new" && todo.size == "big" && todo.folder.name == "Home")
        #expect(try context.fetchCount(FetchDescriptor<Tasks2.Todo>()) == 1)
    }

    enum KeepingPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [Tasks1.self, Tasks2.self] }
        static var stages: [MigrationStage] {
            [.custom(fromVersion: Tasks1.self, toVersion: Tasks2.self, willMigrate: { _ in }, didMigrate: nil)]
        }
    }

    @Test("MG2 rows that would lack a mandatory value are refused, and the file is unchanged")
    func kept() throws {
        let file = try TasksFile()
        try file.fill(todos: 1)
        let error = try #require(throws: SwiftDataError.self) { _ = try file.container(Tasks2.self, KeepingPlan.self) }
        #expect(error.localizedDescription.contains("'Todo.size' must have a value now"))
        #expect(try ModelContext(try file.container(Tasks1.self)).fetchCount(FetchDescriptor<Tasks1.Todo>()) == 1)
    }

    enum RefusedPlan: SchemaMigrationPlan {
        nonisolated(unsafe) static var runs = 0  // … The suite is serialized, and this test alone uses it.
        static var schemas: [any VersionedSchema.Type] { [Tasks1.self, Tasks2.self, Tasks3.self] }
        static var stages: [MigrationStage] {
            [
                .custom(
                    fromVersion: Tasks1.self, toVersion: Tasks2.self,
                    willMigrate: { context in
                        runs += 1
                        try context.delete(model: Tasks1.Todo.self)
                        try context.save()
                    }, didMigrate: nil),
                .lightweight(fromVersion: Tasks2.self, toVersion: Tasks3.self),
            ]
        }
    }

    @Test("MG2 a lightweight stage that cannot be inferred is refused before any code runs")
    func refusedFirst() throws {
        let file = try TasksFile()
        try file.fill(todos: 1)
        let error = try #require(throws: SwiftDataError.self) { _ = try file.container(Tasks3.self, RefusedPlan.self) }
        #expect(error.localizedDescription.contains("'Folder.colour'"))
        #expect(RefusedPlan.runs == 0)
    }
}
