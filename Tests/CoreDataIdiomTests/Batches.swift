import CoreData
import Foundation
import Testing

@MainActor @Suite("Batches")
struct Batches {
    // Source: Apple, 'Loading and displaying a large data feed'
    @Test("Inserts rows from an iterator of dictionaries")
    func insertByHandler() throws {
        let kitchen = try Kitchen()
        var names = ["Toast", "Tea", "Porridge"].makeIterator()
        let request = NSBatchInsertRequest(
            entityName: "Recipe",
            dictionaryHandler: { row in
                guard let name = names.next() else { return true }
                row["name"] = name
                return false
            })
        request.resultType = .objectIDs
        let result = try kitchen.context.execute(request) as? NSBatchInsertResult
        #expect((result?.result as? [NSManagedObjectID])?.count == 3)
        #expect(Set(try kitchen.names()) == ["Toast", "Tea", "Porridge"])
    }

    // Source: Apple, NSBatchInsertRequest, 'init(entity:objects:)'
    @Test("Inserts an array of dictionaries and reads the status")
    func insertDictionaries() throws {
        let kitchen = try Kitchen()
        let request = NSBatchInsertRequest(entity: Recipe.entity(), objects: [["name": "Toast", "minutes": 5]])
        let result = try kitchen.context.execute(request) as? NSBatchInsertResult
        #expect(result?.result as? Bool == true)
        #expect(try kitchen.context.fetch(Recipe.fetchRequest()).first?.minutes == 5)
    }

    // Source: Apple, NSBatchInsertRequest, 'init(entity:managedObjectHandler:)'
    @Test("Inserts by setting properties of an object")
    func insertObjects() throws {
        let kitchen = try Kitchen()
        var number: Int32 = 0
        let request = NSBatchInsertRequest(
            entityName: "Recipe",
            managedObjectHandler: { object in
                guard number < 3, let recipe = object as? Recipe else { return true }
                number += 1
                recipe.minutes = number
                return false
            })
        request.resultType = .count
        #expect(try (kitchen.context.execute(request) as? NSBatchInsertResult)?.result as? Int == 3)
    }

    // Source: Apple, 'Loading and displaying a large data feed', upserts
    @Test("Updates rows with the same unique value")
    func upsert() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        kitchen.context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let request = NSBatchInsertRequest(entityName: "Tag", objects: [["label": "quick"], ["label": "festive"]])
        try kitchen.context.execute(request)
        #expect(try kitchen.context.count(for: Tag.fetchRequest()) == 3)
    }

    // Source: Apple, NSBatchUpdateRequest
    @Test("Updates rows that match")
    func update() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = NSBatchUpdateRequest(entityName: "Recipe")
        request.predicate = NSPredicate(format: "rating >= 4.5")
        request.propertiesToUpdate = ["notes": "good", "vegetarian": NSNumber(value: false)]
        request.resultType = .updatedObjectsCountResultType
        #expect(try (kitchen.context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 2)
        kitchen.context.refreshAllObjects()
        #expect(try kitchen.names(NSPredicate(format: "notes == 'good'")).count == 2)
    }

    // Source: Apple, NSBatchUpdateRequest, 'propertiesToUpdate'
    @Test("Computes a new value from the stored one")
    func computed() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        let request = NSBatchUpdateRequest(entityName: "Recipe")
        request.propertiesToUpdate = ["minutes": NSExpression(format: "minutes + 5")]
        try kitchen.context.execute(request)
        kitchen.context.reset()
        #expect(try kitchen.context.fetch(Recipe.fetchRequest()).map(\.minutes).sorted() == [15, 25, 65, 185])
    }

    // Source: widely copied recipe: merging a batch update into the view context
    @Test("Merges updated identifiers into a context")
    func mergeUpdate() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let request = NSBatchUpdateRequest(entityName: "Recipe")
        request.propertiesToUpdate = ["notes": "seen"]
        request.resultType = .updatedObjectIDsResultType
        let result = try kitchen.context.execute(request) as? NSBatchUpdateResult
        let ids = result?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [kitchen.context])
        #expect(recipe.notes == "seen")
    }

    // Source: Apple, NSBatchDeleteRequest
    @Test("Deletes the rows of a request")
    func delete() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        kitchen.context.reset()
        let rows = NSFetchRequest<NSFetchRequestResult>(entityName: "Recipe")
        rows.predicate = NSPredicate(format: "minutes > 30")
        let request = NSBatchDeleteRequest(fetchRequest: rows)
        request.resultType = .resultTypeCount
        #expect(try (kitchen.context.execute(request) as? NSBatchDeleteResult)?.result as? Int == 2)
        #expect(try kitchen.names().count == 2)
    }

    // Source: widely copied recipe: merging a batch delete into the view context
    @Test("Merges deleted identifiers into a context")
    func mergeDelete() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[2]
        let request = NSBatchDeleteRequest(objectIDs: [recipe.objectID])
        request.resultType = .resultTypeObjectIDs
        let result = try kitchen.context.execute(request) as? NSBatchDeleteResult
        let ids = result?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [kitchen.context])
        #expect(recipe.isDeleted || recipe.managedObjectContext == nil)
        #expect(try kitchen.names().count == 3)
    }

    // Source: widely copied recipe: deleting everything
    @Test("Empties every entity of the model")
    func deleteAll() throws {
        let kitchen = try Kitchen()
        try kitchen.fill()
        for name in kitchen.container.managedObjectModel.entities.compactMap(\.name) {
            let rows = NSFetchRequest<NSFetchRequestResult>(entityName: name)
            try kitchen.context.execute(NSBatchDeleteRequest(fetchRequest: rows))
        }
        kitchen.context.reset()
        #expect(try kitchen.context.count(for: Recipe.fetchRequest()) == 0)
        #expect(try kitchen.context.count(for: Step.fetchRequest()) == 0)
    }

    // Source: Apple, NSBatchDeleteRequest, delete rules
    @Test("CD15 Counts the requested rows, and lists rows deleted by cascades separately")
    func cascades() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let request = NSBatchDeleteRequest(objectIDs: [recipe.objectID])
        request.resultType = .resultTypeCount
        let result = try #require(try kitchen.context.execute(request) as? NSBatchDeleteResult)
        #expect(result.result as? Int == 1)
        #expect(result.cascadedObjectIDs.count == 2)
    }

    // Source: Apple, NSBatchDeleteRequest, 'init(objectIDs:)'
    @Test("CD14 Throws for identifiers of several entities")
    func mixed() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let cook = try #require(recipe.cook)
        let request = NSBatchDeleteRequest(objectIDs: [recipe.objectID, cook.objectID])
        #expect(throws: (any Error).self) { try kitchen.context.execute(request) }
    }
}
