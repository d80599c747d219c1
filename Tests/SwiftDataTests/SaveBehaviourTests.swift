import Foundation
import SwiftData
import Testing

@Suite("Save, rollback, uniqueness")
struct SaveBehaviourTests {
    @Test("S1 S2 a free context does not autosave, unless enabled: then it saves when it is released")
    func autosaveOfFreeContexts() throws {
        let container = try makeZoo()
        do {
            let context = ModelContext(container)
            #expect(!context.autosaveEnabled)
            context.insert(Animal(name: "Fox"))
            #expect(context.hasChanges)
        }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 0)
        do {
            let context = ModelContext(container)
            context.autosaveEnabled = true
            context.insert(Animal(name: "Fox"))
            #expect(context.hasChanges)
        }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 1)
    }

    @Test("S3 an autosave that fails writes nothing and keeps the changes") @MainActor
    func failingAutosave() async throws {
        let container = try ModelContainer(
            for: Person.self, House.self, Room.self, Passport.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let ann = Person(name: "Ann")
        ann.idols = ["B", "C", "D"].map(Person.init)
        container.mainContext.insert(ann)
        for _ in 0..<100 { await Task.yield() }
        #expect(container.mainContext.hasChanges)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Person>()) == 0)
        ann.idols.removeLast()
        for _ in 0..<1000 where container.mainContext.hasChanges { await Task.yield() }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Person>()) == 4)
    }

    @Test("S4 a save without changes posts nothing")
    func emptySave() throws {
        let context = ModelContext(try makeZoo())
        var count = 0
        let observers = [ModelContext.willSave, ModelContext.didSave].map { name in
            SaveObserver(context, name) { _ in count += 1 }
        }
        defer { observers.forEach { $0.stop() } }
        try context.save()
        #expect(count == 0)
        context.insert(Animal(name: "Fox"))
        try context.save()
        #expect(count == 2)
    }

    @Test("S5 a transaction that throws also reverts earlier unsaved changes")
    func throwingTransaction() throws {
        let context = ModelContext(try makeZoo())
        let fox = Animal(name: "Fox")
        context.insert(fox)
        try context.save()
        fox.age = 5
        #expect(throws: CancellationError.self) {
            try context.transaction {
                fox.name = "Wolf"
                throw CancellationError()
            }
        }
        #expect(fox.name == "Fox" && fox.age == 0 && !context.hasChanges)
    }

    @Test("S6 rollback drops insertions, restores edits and links, and empties undo")
    func rollback() throws {
        let context = ModelContext(try makeZoo())
        let manager = UndoManager()
        let mammals = AnimalCategory(name: "Mammals")
        let fox = Animal(name: "Fox", category: mammals)
        context.insert(fox)
        try context.save()
        context.undoManager = manager
        fox.name = "Wolf"
        fox.category = nil
        let owl = Animal(name: "Owl")
        context.insert(owl)
        context.rollback()
        #expect(fox.name == "Fox" && fox.category === mammals && mammals.animals == [fox])
        #expect(owl.modelContext == nil)
        #expect(!context.hasChanges && context.insertedModelsArray.isEmpty)
        #expect(!manager.canUndo && !manager.canRedo)
    }

    @Test("S8 too few members are refused at save with 1580, zero members are not")
    func minimumCount() throws {
        let context = ModelContext(
            try ModelContainer(for: Team.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let team = Team()
        context.insert(team)
        team.members = [Player()]
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 1580)
        team.members.append(Player())
        try context.save()
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Player>()) == 2)
    }

    @Test("S9 two contexts that edit one row are merged property by property; the later save wins conflicts")
    func mergedEdits() throws {
        let container = try makeZoo()
        let first = ModelContext(container)
        let fox = Animal(name: "Fox", age: 1)
        first.insert(fox)
        try first.save()
        let second = ModelContext(container)
        let same = try #require(try second.fetch(FetchDescriptor<Animal>()).first)
        fox.name = "Red fox"
        fox.age = 2
        same.age = 3
        same.weight = 7
        try first.save()
        try second.save()
        #expect(same.name == "Red fox" && same.age == 3 && same.weight == 7)
        let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Animal>()).first)
        #expect(read.name == "Red fox" && read.age == 3 && read.weight == 7)
    }

    @Test("S9 a row that another context deleted stays deleted")
    func deletedMeanwhile() throws {
        let container = try makeZoo()
        let first = ModelContext(container)
        let fox = Animal(name: "Fox")
        first.insert(fox)
        try first.save()
        let second = ModelContext(container)
        let same = try #require(try second.fetch(FetchDescriptor<Animal>()).first)
        same.age = 4
        first.delete(fox)
        try first.save()
        try second.save()
        #expect(same.modelContext == nil)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 0)
    }

    @Test("S10 changes saved by another context are visible in registered models after a fetch")
    func refetch() throws {
        let container = try makeZoo()
        let first = ModelContext(container)
        let fox = Animal(name: "Fox")
        first.insert(fox)
        try first.save()
        let second = ModelContext(container)
        let same = try #require(try second.fetch(FetchDescriptor<Animal>()).first)
        fox.name = "Wolf"
        try first.save()
        _ = try second.fetch(FetchDescriptor<Animal>())
        #expect(same.name == "Wolf")
        #expect(!second.hasChanges)
    }

    @Test("U2 until the save both models of one unique value exist, afterwards they are one row")
    func beforeUpsert() throws {
        let context = ModelContext(try makeZoo())
        let fish = AnimalCategory(name: "Fish")
        context.insert(fish)
        try context.save()
        let again = AnimalCategory(name: "Fish")
        context.insert(again)
        #expect(try context.fetchCount(FetchDescriptor<AnimalCategory>()) == 2)
        #expect(fish != again)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<AnimalCategory>()) == 1)
        #expect(fish == again)
        #expect(again.modelContext === context)
    }

    @Test("U1 U3 two new models of one unique value in one save become one row, with the later values and all links")
    func upsertWithinSave() throws {
        let context = ModelContext(try makeZoo())
        for name in ["Eel", "Carp"] {
            let fish = AnimalCategory(name: "Fish")
            fish.animals = [Animal(name: name)]
            context.insert(fish)
        }
        try context.save()
        let other = ModelContext(context.container)
        let read = try other.fetch(FetchDescriptor<AnimalCategory>())
        #expect(read.count == 1)
        #expect(read.first?.animals.map(\.name).sorted() == ["Carp", "Eel"])
    }
}

@Suite("Fetches and notifications")
struct FetchBehaviourTests {
    @Test("F1 F4 fetches and counts include unsaved changes, or exclude them")
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

    @Test("F5 prefetched relationships and propertiesToFetch only change which rows are read")
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

    @Test("F8 a to-many array has the order its members were added in, in every context")
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

    @Test("N1 N2 a save posts notifications before and after, without user info before")
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

    @Test("N3 N4 the values are arrays, even if empty, and a history token, under text keys")
    func userInfo() throws {
        let context = ModelContext(try makeZoo())
        var keys: Set<AnyHashable> = []
        var isArrays = false
        var byCase: Any?
        let did = SaveObserver(context, ModelContext.didSave) { note in
            keys = Set((note.userInfo ?? [:]).keys)
            isArrays = note.identifiers.count == 3
            byCase = note.userInfo?[ModelContext.NotificationKey.insertedIdentifiers]
        }
        context.insert(Animal(name: "Fox"))
        try context.save()
        did.stop()
        #expect(keys == ["inserted", "updated", "deleted", "historyTokens"])
        #expect(isArrays)
        #expect(byCase == nil)
    }

    @Test("N6 a model with only a changed to-many relationship counts as updated, with the added member")
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

@Model
final class Team {
    @Relationship(minimumModelCount: 2, maximumModelCount: 3, inverse: \Player.team) var members: [Player] = []
    init() {}
}

@Model
final class Player {
    var team: Team?
    init() {}
}
