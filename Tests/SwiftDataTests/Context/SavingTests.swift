import Foundation
import SwiftData
import Testing

@Suite("Save, rollback, uniqueness")
struct SavingTests {
    @Test("a free context does not autosave, unless enabled: then it saves when it is released")
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

    @Test("an autosave that fails writes nothing and keeps the changes") @MainActor
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

    @Test("a save without changes posts nothing")
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

    @Test("a transaction that throws also reverts earlier unsaved changes")
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

    @Test("rollback drops insertions, restores edits and links, and empties undo")
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

    @Test("too few members are refused at save with 1580, zero members are not")
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

    @Test("two contexts that edit one row are merged property by property; the later save wins conflicts")
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

    @Test("a row that another context deleted stays deleted")
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

    @Test("changes saved by another context are visible in registered models after a fetch")
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

    @Test("until the save both models of one unique value exist, afterwards they are one row")
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

    @Test("two new models of one unique value in one save become one row, with the later values and all links")
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
