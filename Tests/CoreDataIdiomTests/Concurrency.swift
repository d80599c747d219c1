import CoreData
import Foundation
import Testing

@MainActor @Suite("Concurrency")
struct Concurrency {
    // Source: Apple, NSPersistentContainer, 'performBackgroundTask(_:)'
    @Test("Saves in the background and returns identifiers")
    func backgroundTask() async throws {
        let kitchen = try Kitchen()
        let id = try await kitchen.container.performBackgroundTask { @Sendable context in
            let recipe = Recipe(context: context)
            recipe.name = "Toast"
            try context.save()
            return recipe.objectID
        }
        #expect((try kitchen.context.existingObject(with: id) as? Recipe)?.name == "Toast")
    }

    // Source: Apple, NSPersistentContainer, 'performBackgroundTask(_:)'
    @Test("Runs a background task with a completion")
    func completion() async throws {
        let kitchen = try Kitchen()
        let saved = await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
            kitchen.container.performBackgroundTask { context in
                Recipe(context: context).name = "Toast"
                do { try context.save() } catch { return done.resume(returning: false) }
                done.resume(returning: true)
            }
        }
        #expect(saved)
        #expect(try kitchen.names() == ["Toast"])
    }

    // Source: Apple, 'Using Core Data in the background'
    @Test("Hands an object to another context by its identifier")
    func handOver() async throws {
        let kitchen = try Kitchen()
        let id = try kitchen.fill()[0].objectID
        let background = kitchen.container.newBackgroundContext()
        let name = await background.perform { (background.object(with: id) as? Recipe)?.name }
        #expect(name == "Tomato salad")
    }

    // Source: Apple, NSManagedObjectContext, 'perform(schedule:_:)'
    @Test("Waits for work on a context's queue")
    func perform() async throws {
        let kitchen = try Kitchen()
        let background = kitchen.container.newBackgroundContext()
        let count = try await background.perform {
            for number in 0..<20 { Recipe(context: background).minutes = Int32(number) }
            try background.save()
            return try background.count(for: Recipe.fetchRequest())
        }
        #expect(count == 20)
    }

    // Source: Apple, NSManagedObjectContext, 'performAndWait(_:)'
    @Test("Returns a value and throws an error from performAndWait")
    func performAndWait() throws {
        let kitchen = try Kitchen()
        let background = kitchen.container.newBackgroundContext()
        let isPrivate = background.performAndWait { background.concurrencyType == .privateQueueConcurrencyType }
        #expect(isPrivate)
        #expect(throws: (any Error).self) {
            try background.performAndWait {
                Recipe(context: background).setValue(nil, forKey: "name")
                try background.save()
            }
        }
    }

    // Source: widely copied recipe: main-actor code that saves its context
    @Test("Saves the view context from main-actor code")
    func mainActorSave() async throws {
        let kitchen = try Kitchen()
        let context = kitchen.context
        Recipe(context: context).name = "Toast"
        try await context.perform { if context.hasChanges { try context.save() } }
        #expect(!context.hasChanges)
    }

    // Source: widely copied recipe: an actor that imports
    @Test("Wraps a background context in an actor")
    func importer() async throws {
        actor Importer {
            private let context: NSManagedObjectContext
            init(_ container: NSPersistentContainer) { context = container.newBackgroundContext() }

            func add(_ names: [String]) async throws -> [NSManagedObjectID] {
                try await context.perform { [context] in
                    let recipes = names.map { name in
                        let recipe = Recipe(context: context)
                        recipe.name = name
                        return recipe
                    }
                    try context.save()
                    return recipes.map(\.objectID)
                }
            }
        }
        let kitchen = try Kitchen()
        let ids = try await Importer(kitchen.container).add(["Toast", "Tea"])
        #expect(ids.count == 2 && ids.allSatisfy { !$0.isTemporaryID })
    }

    // Source: widely copied recipe: values instead of objects across actors
    @Test("Returns values made from objects")
    func values() async throws {
        struct Row: Sendable, Equatable {
            let name: String
            let minutes: Int
        }
        let kitchen = try Kitchen()
        try kitchen.fill()
        let rows = try await kitchen.container.performBackgroundTask { @Sendable context in
            let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Recipe.minutes, ascending: true)]
            return try context.fetch(request).map { Row(name: $0.name, minutes: Int($0.minutes)) }
        }
        #expect(rows.first == Row(name: "Tomato salad", minutes: 10))
    }

    // Source: widely copied recipe: many imports at once
    @Test("Runs several background tasks concurrently")
    func sideBySide() async throws {
        let kitchen = try Kitchen(.file)
        let container = kitchen.container
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await container.performBackgroundTask { context in
                        Recipe(context: context).minutes = Int32(number)
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try kitchen.context.count(for: Recipe.fetchRequest()) == 8)
    }

    // Source: Apple, NSManagedObjectContext, 'automaticallyMergesChangesFromParent'
    @Test("Merges background saves into the view context automatically")
    func automaticMerge() async throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let id = recipe.objectID
        kitchen.context.automaticallyMergesChangesFromParent = true
        try await kitchen.container.performBackgroundTask { @Sendable context in
            (context.object(with: id) as? Recipe)?.name = "Salad"
            try context.save()
        }
        await kitchen.context.perform {}
        #expect(recipe.name == "Salad")
    }

    // Source: widely copied recipe: merging by hand
    @Test("Merges a did-save notification by hand")
    func mergeByHand() async throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let id = recipe.objectID
        let view = kitchen.context
        let background = kitchen.container.newBackgroundContext()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: background, queue: nil
        ) { note in
            nonisolated(unsafe) let note = note  // Read by one thread after the other.
            view.perform { view.mergeChanges(fromContextDidSave: note) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try await background.perform {
            (background.object(with: id) as? Recipe)?.name = "Salad"
            try background.save()
        }
        await view.perform {}
        #expect(recipe.name == "Salad")
    }

    // Source: Apple, NSPersistentStoreCoordinator, 'perform(_:)'
    @Test("Runs work on the coordinator's queue")
    func coordinator() async throws {
        let kitchen = try Kitchen()
        let coordinator = kitchen.coordinator
        let count = await coordinator.perform { coordinator.persistentStores.count }
        #expect(count == 1)
    }
}
