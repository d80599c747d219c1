import Foundation
import SwiftData
import Testing

@Suite("Deletion plans")
struct DeletionPlanTests {
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

    @Test("A plan lists the models to delete and the rules that cause it, and deletes nothing")
    func showing() throws {
        let context = try filled()
        let plan = try context.deletionPlan(for: AnimalCategory.self, where: #Predicate { $0.name == "Mammals" })
        #expect(plan.count == 3)
        #expect(plan.isPossible)
        #expect(plan.paths.map(\.entityName) == ["AnimalCategory", "Animal"])
        #expect(plan.paths.map(\.relationship) == [nil, "AnimalCategory.animals"])
        #expect(plan.paths.map(\.count) == [1, 2])
        #expect(plan.deleted.map(\.count) == [1, 2])
        #expect(Array(plan.rows).count == 3)
        #expect(plan.clearedLinks.isEmpty)
        #expect(plan.description.contains("2 Animal through AnimalCategory.animals"))
        #expect(try names(context) == ["Eel", "Fox", "Wolf"])
        #expect(!context.hasChanges)
    }

    @Test("A plan lists the links of owners that a delete of members nullifies")
    func clearedLinks() throws {
        let context = try filled()
        let plan = try context.deletionPlan(for: Animal.self, where: #Predicate { $0.name == "Eel" })
        #expect(plan.clearedLinks.map(\.relationship) == ["AnimalCategory.animals"])
        #expect(plan.clearedLinks.map(\.count) == [1])
        #expect(plan.clearedLinks.first?.isToOne == false)
    }

    @Test("Executing a plan deletes its models, and every live context is updated at once")
    func executing() throws {
        let context = try filled()
        let other = ModelContext(context.container)
        let fox = try #require(
            try other.fetch(FetchDescriptor<Animal>(predicate: #Predicate { $0.name == "Fox" })).first)
        let category = try #require(
            try other.fetch(FetchDescriptor<AnimalCategory>(predicate: #Predicate { $0.name == "Mammals" })).first)
        #expect(category.animals.count == 2)
        try context.deletionPlan(for: Animal.self, where: #Predicate { $0.name == "Fox" }).execute()
        other.processPendingChanges()
        #expect(fox.modelContext == nil)
        #expect(fox.name == "Fox")
        #expect(category.animals.map(\.name) == ["Wolf"])
        category.name = "Beasts"
        try other.save()
        #expect(try names(context) == ["Eel", "Wolf"])
    }

    @Test("A plan is refused if the same delete would now affect other rows, but not after unrelated changes")
    func moved() throws {
        let context = try filled()
        let plan = try context.deletionPlan(for: AnimalCategory.self, where: #Predicate { $0.name == "Mammals" })
        let other = ModelContext(context.container)
        other.insert(AnimalCategory(name: "Insects"))
        try other.save()
        let fish = try #require(
            try other.fetch(FetchDescriptor<AnimalCategory>(predicate: #Predicate { $0.name == "Fish" })).first)
        let stale = try context.deletionPlan(for: AnimalCategory.self, where: #Predicate { $0.name == "Fish" })
        fish.animals.append(Animal(name: "Cod"))
        try other.save()
        #expect(throws: DeletionError.storeChanged) { try stale.execute() }
        #expect(try names(context) == ["Cod", "Eel", "Fox", "Wolf"])
        try plan.execute()
        #expect(try names(context) == ["Cod", "Eel"])
        #expect(throws: DeletionError.storeChanged) { try plan.execute() }
    }

    @Test("A plan lists its obstacles, and is refused when executed")
    func obstacles() throws {
        let context = ModelContext(
            try ModelContainer(
                for: Crew.self, Post.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let crew = Crew(name: "Alpha")
        let post = Post(title: "Lookout", crew: crew)
        context.insert(post)
        try context.save()
        let plan = try context.deletionPlan(for: Crew.self)
        #expect(!plan.isPossible)
        let obstacle = try #require(plan.obstacles.first)
        #expect(obstacle.reason == .mandatoryRelationshipLeftEmpty)
        #expect(obstacle.relationship == "Crew.posts")
        #expect(obstacle.examples.map(PersistentIdentifier.init) == [post.persistentModelID])
        let error = #expect(throws: DeletionError.refused(plan.obstacles)) { try plan.execute() }
        #expect(error?.errorCode == 1570)
        #expect(
            error?.errorUserInfo["NSLocalizedFailureReason"] as? String
                == "Constraint trigger violation: Batch delete failed due to mandatory OTM nullify inverse on Crew/posts"
        )
        #expect(try context.fetchCount(FetchDescriptor<Crew>()) == 1)
    }

    @Test("A delete of more models than the limit is refused, and deletes or marks nothing")
    func limit() throws {
        let context = try filled()
        #expect(throws: DeletionError.tooManyRows(count: 3, limit: 2)) {
            try context.delete(model: AnimalCategory.self, where: #Predicate { $0.name == "Mammals" }, limit: 2)
        }
        #expect(!context.hasChanges)
        try context.delete(model: AnimalCategory.self, where: #Predicate { $0.name == "Mammals" }, limit: 3)
        try context.save()
        #expect(try names(context) == ["Eel"])
        context.insert(Animal(name: "Owl"))
        #expect(throws: DeletionError.tooManyRows(count: 2, limit: 1)) {
            try context.delete(model: Animal.self, limit: 1)
        }
        #expect(try names(context) == ["Eel", "Owl"])
    }

    @Test("Plans can be made by identifier, by order and limit, and for no models")
    func roots() throws {
        let context = try filled()
        let animals = try context.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
        let wolf = try #require(animals.last)
        #expect(try context.deletionPlan(for: [wolf.persistentModelID]).count == 1)
        #expect(try context.deletionPlan(for: []).isEmpty)
        var first = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])
        first.fetchLimit = 1
        try context.deletionPlan(for: first).execute()
        #expect(try names(context) == ["Fox", "Wolf"])
        let unsaved = Animal(name: "Owl")
        context.insert(unsaved)
        #expect(try context.deletionPlan(for: [unsaved.persistentModelID]).isEmpty)
        #expect(
            try context.deletionPlan(for: Animal.self, where: #Predicate { $0.name == "Nobody" }).description
                == "Nothing would be deleted.")
    }

    @Test("The cost contains bytes and the statements to run")
    func cost() throws {
        let context = try filled()
        let cost = try context.deletionPlan(for: AnimalCategory.self).cost()
        #expect(cost.valueBytes > 0)
        #expect(cost.externalFileCount == 0)
        #expect(cost.relationshipsWithoutIndex.isEmpty)
        // Links of animals with tags, animals, categories.
        #expect(cost.statements.count == 3)
        #expect(cost.statements.allSatisfy { $0.hasPrefix("DELETE FROM") })
    }
}
