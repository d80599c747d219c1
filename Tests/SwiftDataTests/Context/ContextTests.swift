import Foundation
import SwiftData
import Synchronization
import Testing

@Suite("Contexts")
struct ContextTests {
    @Test(
        "DV68 didSave contains arrays of identifiers under short keys and a history token, and is posted on the saving thread"
    )
    func notifications() throws {
        let context = ModelContext(try makeZoo())
        let fox = Animal(name: "Fox")
        let eel = Animal(name: "Eel")
        context.insert(fox)
        context.insert(eel)
        try context.save()
        fox.age = 4
        context.delete(eel)
        let owl = Animal(name: "Owl")
        context.insert(owl)
        nonisolated(unsafe) var seen: [String: [PersistentIdentifier]] = [:]  // … Written and read on this thread.
        nonisolated(unsafe) var others: Set<String> = []
        nonisolated(unsafe) var willSaveInfo: [AnyHashable: Any]? = [:]
        let identity = ObjectIdentifier(context)
        let tokens = [
            NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: nil, queue: nil) { note in
                guard let object = note.object as? ModelContext, ObjectIdentifier(object) == identity else { return }
                seen = note.identifiers
                others = Set((note.userInfo ?? [:]).keys.compactMap { $0 as? String }).subtracting(seen.keys)
            },
            NotificationCenter.default.addObserver(forName: ModelContext.willSave, object: nil, queue: nil) { note in
                guard let object = note.object as? ModelContext, ObjectIdentifier(object) == identity else { return }
                willSaveInfo = note.userInfo
            },
        ]
        defer { tokens.forEach(NotificationCenter.default.removeObserver) }
        let eelID = eel.persistentModelID
        try context.save()
        #expect(willSaveInfo == nil)
        #expect(Set(seen.keys) == ["inserted", "updated", "deleted"])
        #expect(others == ["historyTokens"])
        #expect(seen["inserted"] == [owl.persistentModelID])
        #expect(seen["updated"] == [fox.persistentModelID])
        #expect(seen["deleted"] == [eelID])
    }

    @Test("A throwing transaction is rolled back, a successful one is saved")
    func transactions() throws {
        struct Refusal: Error {}
        let context = ModelContext(try makeZoo())
        #expect(throws: Refusal.self) {
            try context.transaction {
                context.insert(Animal(name: "Fox"))
                throw Refusal()
            }
        }
        #expect(!context.hasChanges)
        try context.transaction { context.insert(Animal(name: "Eel")) }
        #expect(try ModelContext(context.container).fetch(FetchDescriptor<Animal>()).map(\.name) == ["Eel"])
    }

    @Test("Models by identifier: registered, read on demand, missing")
    func byIdentifier() throws {
        let container = try makeZoo()
        let context = ModelContext(container)
        let fox = Animal(name: "Fox", age: 3)
        context.insert(fox)
        try context.save()
        let id = fox.persistentModelID
        let other = ModelContext(container)
        let none: Animal? = other.registeredModel(for: id)
        #expect(none == nil)
        let read = try #require(other.model(for: id) as? Animal)
        #expect(read.age == 3)
        let registered: Animal? = other.registeredModel(for: id)
        #expect(registered === read)
        let json = try JSONEncoder().encode(id)
        #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: json) == id)
        let absent = try PersistentIdentifier.identifier(
            for: try #require(id.storeIdentifier), entityName: "Animal", primaryKey: 99)
        let ghost = try #require(other.model(for: absent) as? Animal)
        #expect(ghost.name == "")
        #expect(ghost.modelContext == nil)
    }

    @Test("enumerate visits all models, and refuses mutations unless they are allowed")
    func enumeration() throws {
        let context = ModelContext(try makeZoo())
        for index in 0..<25 { context.insert(Animal(name: "\(index)", age: index)) }
        try context.save()
        var sum = 0
        try context.enumerate(FetchDescriptor<Animal>(), batchSize: 10) { sum += $0.age }
        #expect(sum == 300)
        #expect(throws: SwiftDataError.self) {
            try context.enumerate(FetchDescriptor<Animal>()) { $0.age += 1 }
        }
        context.rollback()
        // Unsaved changes from before neither allow mutations nor cause a refusal.
        let one = try #require(try context.fetch(FetchDescriptor<Animal>()).first)
        one.name = "edited"
        try context.enumerate(FetchDescriptor<Animal>(), batchSize: 10) { sum += $0.age }
        #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
            try context.enumerate(FetchDescriptor<Animal>(), batchSize: 10) { $0.age += 1 }
        }
        context.rollback()
        one.name = "edited"
        #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
            try context.enumerate(FetchDescriptor<Animal>()) { _ in
                try context.delete(model: Tag.self)
                context.insert(Tag(label: "new"))
            }
        }
        context.rollback()
        try context.enumerate(FetchDescriptor<Animal>(), allowEscapingMutations: true) { $0.age += 1 }
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Animal>()).map(\.age).reduce(0, +) == 325)
    }

    @Test("Limit and offset apply to results that include unsaved changes")
    func windows() throws {
        let context = ModelContext(try makeZoo())
        for index in 0..<10 { context.insert(Animal(name: "n\(index)", age: index)) }
        try context.save()
        context.insert(Animal(name: "new", age: -1))
        var descriptor = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.age)])
        descriptor.fetchLimit = 3
        #expect(try context.fetch(descriptor).map(\.age) == [-1, 0, 1])
        descriptor.fetchOffset = 9
        #expect(try context.fetch(descriptor).map(\.age) == [8, 9])
        descriptor.includePendingChanges = false
        #expect(try context.fetch(descriptor).map(\.age) == [9])
        #expect(try context.fetch(descriptor, batchSize: 2).map(\.age) == [9])
        descriptor.includePendingChanges = true
        #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
            _ = try context.fetch(descriptor, batchSize: 2)
        }
        #expect(throws: SwiftDataError.sortingPendingChangesWithIdentifiers) {
            _ = try context.fetchIdentifiers(descriptor)
        }
    }

    @Test("The main context autosaves") @MainActor
    func autosave() async throws {
        let container = try makeZoo()
        container.mainContext.insert(Animal(name: "Fox"))
        for _ in 0..<1000 where container.mainContext.hasChanges { await Task.yield() }
        #expect(!container.mainContext.hasChanges)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 1)
    }

    @Test("Changes saved by a background actor reach the main context's models") @MainActor
    func mergeFromActor() async throws {
        let container = try makeZoo()
        let fox = Animal(name: "Fox")
        container.mainContext.insert(fox)
        try container.mainContext.save()
        let keeper = AnimalKeeper(modelContainer: container)
        try await keeper.rename(fox.persistentModelID, to: "Red fox")
        for _ in 0..<1000 where fox.name == "Fox" { await Task.yield() }
        #expect(fox.name == "Red fox")
        try await keeper.delete(fox.persistentModelID)
        for _ in 0..<1000 where fox.modelContext != nil { await Task.yield() }
        #expect(fox.modelContext == nil)
        #expect(fox.name == "Red fox")
    }

    @Test("A context with a store in memory releases unreferenced models")
    func sweeping() throws {
        let container = try makeZoo()
        let context = ModelContext(container)
        for index in 0..<6000 { context.insert(Animal(name: "\(index)")) }
        try context.save()
        let other = ModelContext(container)
        weak var held: Animal?
        try {
            held = try other.fetch(FetchDescriptor<Animal>()).first
            #expect(held != nil)
        }()
        try {
            let all = try other.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0.age == 5 }))
            #expect(all.isEmpty)
        }()
        #expect(held == nil)
    }

    @Test("A descriptor is fetched in batches as long as there are no unsaved changes that it would include")
    func batchesWithoutChanges() throws {
        let context = ModelContext(try makeZoo())
        for index in 0..<5 { context.insert(Animal(name: "\(index)", age: index)) }
        try context.save()
        let descriptor = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.age)])
        #expect(try context.fetch(descriptor, batchSize: 2).map(\.age) == [0, 1, 2, 3, 4])
        #expect(try context.fetchIdentifiers(descriptor, batchSize: 2).count == 5)
        context.insert(Animal(name: "new"))
        #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
            _ = try context.fetch(descriptor, batchSize: 2)
        }
        #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
            _ = try context.fetchIdentifiers(descriptor, batchSize: 2)
        }
    }
}

@ModelActor
actor AnimalKeeper {
    func rename(_ id: PersistentIdentifier, to name: String) throws {
        self[id, as: Animal.self]?.name = name
        try modelContext.save()
    }

    func delete(_ id: PersistentIdentifier) throws {
        if let animal = self[id, as: Animal.self] { modelContext.delete(animal) }
        try modelContext.save()
    }
}
