import Foundation
import ObjectGraph
import SwiftData
import Testing

@Suite("Bulk deletes (delete by predicate)")
struct BulkDeleteTests {
    private func filled() throws -> ModelContext {
        let context = ModelContext(try makeZoo())
        for (name, animals) in [("Mammals", ["Fox", "Wolf"]), ("Fish", ["Eel"]), ("Birds", [])] {
            let category = AnimalCategory(name: name)
            category.animals = animals.map { Animal(name: $0) }
            context.insert(category)
        }
        try context.save()
        return context
    }

    private func names(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    @Test("without a predicate all models of the type are deleted, at the next save")
    func all() throws {
        let context = try filled()
        try context.delete(model: Animal.self)
        #expect(try names(context) == [])
        #expect(try names(ModelContext(context.container)) == ["Eel", "Fox", "Wolf"])
        context.rollback()
        #expect(try names(context) == ["Eel", "Fox", "Wolf"])
        try context.delete(model: Animal.self)
        try context.save()
        #expect(try names(ModelContext(context.container)) == [])
        #expect(try context.fetchCount(FetchDescriptor<AnimalCategory>()) == 3)
    }

    @Test("delete rules apply: deleting a category deletes its animals")
    func cascades() throws {
        let context = try filled()
        try context.delete(model: AnimalCategory.self, where: #Predicate { $0.name == "Mammals" })
        try context.save()
        #expect(try names(ModelContext(context.container)) == ["Eel"])
    }

    @Test("a mandatory inverse left empty refuses the save, and nothing is deleted")
    func mandatoryInverse() throws {
        let context = ModelContext(
            try ModelContainer(
                for: Crew.self, Post.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let crew = Crew(name: "Alpha")
        context.insert(Post(title: "Lookout", crew: crew))
        try context.save()
        try context.delete(model: Crew.self)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == 1570)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Crew>()) == 1)
        try context.delete(model: Post.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Crew>()) == 0)
    }

    @Test("unsaved models that match at the call are deleted, later ones stay, and every count agrees")
    func unsaved() throws {
        let context = try filled()
        context.insert(Animal(name: "Owl"))
        try context.delete(model: Animal.self, where: #Predicate { $0.name != "Fox" })
        context.insert(Animal(name: "Bat"))
        #expect(try names(context) == ["Bat", "Fox"])
        #expect(try context.fetchCount(FetchDescriptor<Animal>()) == 2)
        try context.save()
        #expect(try names(ModelContext(context.container)) == ["Bat", "Fox"])
    }

    @Test("a predicate may use an identifier, a set of identifiers, or an empty relationship")
    func predicates() throws {
        let context = try filled()
        let animals = try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
        let eel = try #require(animals.first).persistentModelID
        try context.delete(model: Animal.self, where: #Predicate { $0.persistentModelID == eel })
        try context.save()
        #expect(try names(context) == ["Fox", "Wolf"])
        let wolves = Set(animals.suffix(1).map(\.persistentModelID))
        try context.delete(model: Animal.self, where: #Predicate { wolves.contains($0.persistentModelID) })
        try context.save()
        #expect(try names(context) == ["Fox"])
        try context.delete(model: AnimalCategory.self, where: #Predicate { $0.animals.isEmpty })
        try context.save()
        #expect(try context.fetch(FetchDescriptor<AnimalCategory>()).map(\.name) == ["Mammals"])
    }

    @Test("DV39 deletedModelsArray has the registered models; the notification has all deleted models")
    func deletedModels() throws {
        let context = ModelContext(try filled().container)
        let fox = try #require(
            try context.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0.name == "Fox" })).first)
        try context.delete(model: AnimalCategory.self)
        #expect(context.deletedModelsArray.map(\.persistentModelID) == [fox.persistentModelID])
        let named = Locked<[PersistentIdentifier]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { notification in
            let key = ModelContext.NotificationKey.deletedIdentifiers.rawValue
            let deleted = notification.userInfo?[key] as? [PersistentIdentifier] ?? []
            named.withLock { $0 = deleted }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try context.save()
        #expect(named.withLock { Set($0).count } == 6)
    }

    @Test("DV30 undo reverts a bulk delete until it is saved, and not after")
    func undo() throws {
        let context = try filled()
        let undoManager = UndoManager()
        context.undoManager = undoManager
        try context.delete(model: Animal.self, where: #Predicate { $0.name == "Fox" })
        context.processPendingChanges()
        undoManager.undo()
        #expect(try names(context) == ["Eel", "Fox", "Wolf"])
        try context.delete(model: Animal.self, where: #Predicate { $0.name == "Fox" })
        try context.save()
        undoManager.undo()
        #expect(try names(context) == ["Eel", "Wolf"])
        #expect(!context.hasChanges)
    }

    @Test("DV34 erase discards archived deletions")
    func erase() throws {
        let context = try filled()
        let plan = try context.deletionPlan(for: Animal.self)
        let token = try #require(try plan.executeAndArchive())
        #expect(try context.container.archivedDeletions().map(\.count) == [3])
        try context.container.erase()
        #expect(try context.container.archivedDeletions().isEmpty)
        #expect(throws: DeletionError.unknownToken) { try context.container.restore(token) }
    }
}

@Model
final class Crew {
    var name: String
    @Relationship(inverse: \Post.crew) var posts: [Post] = []
    init(name: String) { self.name = name }
}

@Model
final class Post {
    var title: String
    var crew: Crew
    init(title: String, crew: Crew) {
        self.title = title
        self.crew = crew
    }
}
