import Foundation
import SwiftData
import Testing

@Suite("Inserting and identity")
struct InsertingTests {
    @Test("an insertion is visible only in its context until it is saved")
    func insertIsPending() throws {
        let container = try makeZoo()
        let context = ModelContext(container)
        context.insert(Animal(name: "Fox"))
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 1)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Animal>()) == 1)
    }

    @Test("inserting one model inserts all new models it references, also through existing ones")
    func reachable() throws {
        let container = try makeZoo()
        let context = ModelContext(container)
        let mammals = AnimalCategory(name: "Mammals")
        context.insert(mammals)
        try context.save()
        let fox = Animal(name: "Fox", category: mammals)
        let red = Tag(label: "red")
        let panda = Animal(name: "Red panda")
        red.animals = [panda]
        fox.tags = [red]
        context.insert(fox)
        #expect(panda.modelContext === context)
        try context.save()
        let other = ModelContext(container)
        #expect(Set(try other.fetch(FetchDescriptor<Animal>()).map(\.name)) == ["Fox", "Red panda"])
        #expect(try other.fetch(FetchDescriptor<Tag>()).first?.animals.count == 2)
    }

    @Test("the identifier changes between willSave and didSave, and never again")
    func identifierAcrossSave() throws {
        let context = ModelContext(try makeZoo())
        let fox = Animal(name: "Fox")
        context.insert(fox)
        let temporary = fox.persistentModelID
        var during: [PersistentIdentifier] = []
        var announced: [PersistentIdentifier] = []
        let will = SaveObserver(context, ModelContext.willSave) { _ in during.append(fox.persistentModelID) }
        let did = SaveObserver(context, ModelContext.didSave) { note in
            during.append(fox.persistentModelID)
            announced = note.userInfo?["inserted"] as? [PersistentIdentifier] ?? []
        }
        try context.save()
        will.stop()
        did.stop()
        let permanent = fox.persistentModelID
        #expect(temporary.storeIdentifier == nil && permanent.storeIdentifier != nil)
        #expect(during == [temporary, permanent])
        #expect(announced == [permanent])
        let registered: Animal? = context.registeredModel(for: temporary)
        #expect(registered == nil)
        let old = FetchDescriptor<Animal>(predicate: #Predicate { $0.persistentModelID == temporary })
        #expect(try context.fetchCount(old) == 0)
        fox.age = 9
        try context.save()
        #expect(fox.persistentModelID == permanent)
    }

    @Test("DV7 linking models of two contexts is refused, leaves both unchanged, and makes save throw")
    func differentContexts() throws {
        let container = try makeZoo()
        let first = ModelContext(container)
        let second = ModelContext(container)
        let fox = Animal(name: "Fox")
        let mammals = AnimalCategory(name: "Mammals")
        first.insert(fox)
        second.insert(mammals)
        fox.category = mammals
        #expect(fox.category == nil)
        #expect(mammals.animals.isEmpty)
        second.insert(fox)
        #expect(fox.modelContext === first)
        #expect(throws: SwiftDataError.modelValidationFailure) { try first.save() }
        #expect(throws: SwiftDataError.modelValidationFailure) { try second.save() }
    }

    @Test("inserting a model twice inserts it once")
    func insertTwice() throws {
        let context = ModelContext(try makeZoo())
        let fox = Animal(name: "Fox")
        context.insert(fox)
        context.insert(fox)
        try context.save()
        context.insert(fox)
        #expect(!context.hasChanges)
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 1)
    }

    @Test("a context has one instance per row, however it is reached")
    func uniquing() throws {
        let container = try makeZoo()
        let context = ModelContext(container)
        context.insert(Animal(name: "Fox", category: AnimalCategory(name: "Mammals")))
        try context.save()
        let other = ModelContext(container)
        let fox = try #require(try other.fetch(FetchDescriptor<Animal>()).first)
        #expect(other.model(for: fox.persistentModelID) === fox)
        #expect(fox.category?.animals.first === fox)
        #expect(try other.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0.name == "Fox" })).first === fox)
        #expect(try other.fetch(FetchDescriptor<AnimalCategory>()).first === fox.category)
    }
}
