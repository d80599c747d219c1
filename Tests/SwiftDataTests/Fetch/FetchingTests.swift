import Foundation
import SwiftData
import Testing

@Suite("Fetches and notifications")
struct FetchingTests {
    @Test("fetches and counts include unsaved changes, or exclude them")
    func pendingChanges() throws {
        let context = ModelContext(try makeZoo())
        let fox = Animal(name: "Fox", age: 3)
        context.insert(fox)
        try context.save()
        fox.age = 10
        context.insert(Animal(name: "Owl", age: 12))
        var old = FetchDescriptor<Animal>(predicate: #Predicate { $0.age > 9 })
        #expect(try context.fetchCount(old) == 2)
        #expect(try context.fetchIdentifiers(old).count == 2)
        old.includePendingChanges = false
        #expect(try context.fetchCount(old) == 0)
        #expect(try context.fetch(old).isEmpty)
        #expect(try context.fetchIdentifiers(old).isEmpty)
    }

    @Test("prefetched relationships and propertiesToFetch only change which rows are read")
    func prefetching() throws {
        let container = try makeZoo()
        let setUp = ModelContext(container)
        let mammals = AnimalCategory(name: "Mammals")
        for name in ["Fox", "Wolf"] { setUp.insert(Animal(name: name, age: 1, category: mammals)) }
        try setUp.save()
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])
        descriptor.propertiesToFetch = [\.name]
        descriptor.relationshipKeyPathsForPrefetching = [\.category, \.tags]
        let animals = try context.fetch(descriptor)
        #expect(animals.map(\.name) == ["Fox", "Wolf"] && animals.map(\.age) == [1, 1])
        #expect(animals.allSatisfy { $0.category?.name == "Mammals" && $0.tags.isEmpty })
        descriptor.relationshipKeyPathsForPrefetching = [\.name]
        #expect(throws: SwiftDataError.unsupportedKeyPath) { _ = try context.fetch(descriptor) }
    }

    @Test("a to-many array has the order its members were added in, in every context")
    func toManyOrder() throws {
        let container = try makeZoo()
        let context = ModelContext(container)
        let mammals = AnimalCategory(name: "Mammals")
        let expected = ["e", "b", "d", "a", "c"]
        mammals.animals = expected.prefix(3).map { Animal(name: $0) }
        context.insert(mammals)
        try context.save()
        expected.suffix(2).forEach { mammals.animals.append(Animal(name: $0)) }
        #expect(mammals.animals.map(\.name) == expected)
        try context.save()
        #expect(mammals.animals.map(\.name) == expected)
        let other = ModelContext(container)
        let read = try other.fetch(FetchDescriptor<AnimalCategory>()).first
        #expect(read?.animals.map(\.name) == expected)
    }

    @Test("a save posts notifications before and after, without user info before")
    func announcements() throws {
        let context = ModelContext(try makeZoo())
        var seen: [String] = []
        let will = SaveObserver(context, ModelContext.willSave) { note in
            seen.append("will \(context.hasChanges) \(note.userInfo == nil)")
        }
        let did = SaveObserver(context, ModelContext.didSave) { note in
            seen.append("did \(context.hasChanges) \(note.userInfo == nil)")
        }
        context.insert(Animal(name: "Fox"))
        try context.save()
        will.stop()
        did.stop()
        #expect(seen == ["will true true", "did false false"])
    }

    @Test("the values are arrays under text keys, even if empty")
    func userInfo() throws {
        let context = ModelContext(try makeZoo())
        var keys: Set<AnyHashable> = []
        var isArrays = false
        var byCase: Any?
        let did = SaveObserver(context, ModelContext.didSave) { note in
            keys = Set((note.userInfo ?? [:]).keys)
            isArrays = note.userInfo is [String: [PersistentIdentifier]]
            byCase = note.userInfo?[ModelContext.NotificationKey.insertedIdentifiers]
        }
        context.insert(Animal(name: "Fox"))
        try context.save()
        did.stop()
        #expect(keys == ["inserted", "updated", "deleted"])
        #expect(isArrays)
        #expect(byCase == nil)
    }

    @Test("a model with only a changed to-many relationship counts as updated, with the added member")
    func toManyUpdates() throws {
        let context = ModelContext(try makeZoo())
        let mammals = AnimalCategory(name: "Mammals")
        let fox = Animal(name: "Fox")
        let red = Tag(label: "red")
        context.insert(mammals)
        context.insert(fox)
        context.insert(red)
        try context.save()
        var updated: [PersistentIdentifier] = []
        let did = SaveObserver(context, ModelContext.didSave) { note in
            updated = note.userInfo?["updated"] as? [PersistentIdentifier] ?? []
        }
        mammals.animals.append(fox)
        try context.save()
        #expect(Set(updated) == [mammals.persistentModelID, fox.persistentModelID])
        fox.tags = [red]
        try context.save()
        #expect(Set(updated) == [fox.persistentModelID, red.persistentModelID])
        did.stop()
    }
}
