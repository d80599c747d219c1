import CoreData
import Foundation
import Testing

@MainActor @Suite("Relationships")
struct Relationships {
    // Source: Apple, 'Core Data Programming Guide', Creating Managed Object Relationships
    @Test("Sets both ends by setting one")
    func inverse() throws {
        let context = try Kitchen().context
        let cook = Cook(context: context)
        let recipe = Recipe(context: context)
        recipe.cook = cook
        #expect(cook.recipes?.contains(recipe) == true)
        recipe.cook = nil
        #expect(cook.recipes?.count == 0)
    }

    // Source: Xcode's generated accessors, 'addToRecipes(_:)'
    @Test("Adds and removes members through the mutable set")
    func mutableSet() throws {
        let context = try Kitchen().context
        let cook = Cook(context: context)
        let recipes = (0..<3).map { _ in Recipe(context: context) }
        cook.mutableSetValue(forKey: "recipes").addObjects(from: recipes)
        #expect(cook.recipes?.count == 3 && recipes[2].cook === cook)
        cook.mutableSetValue(forKey: "recipes").remove(recipes[0])
        #expect(cook.recipes?.count == 2 && recipes[0].cook == nil)
    }

    // Source: widely copied recipe: a typed set for SwiftUI lists
    @Test("Turns a set into a sorted array")
    func sortedArray() throws {
        let kitchen = try Kitchen()
        let cook = try kitchen.fill()[0].cook
        let set = cook?.recipes as? Set<Recipe> ?? []
        #expect(set.sorted { $0.minutes < $1.minutes }.map(\.name) == ["Tomato salad", "pancakes"])
        let order = [NSSortDescriptor(key: "minutes", ascending: false)]
        #expect((cook?.recipes?.sortedArray(using: order) as? [Recipe])?.map(\.minutes) == [20, 10])
    }

    // Source: Apple, NSManagedObject, many-to-many relationships
    @Test("Links many with many from either side")
    func manyToMany() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        let cheap = try #require(recipes[3].tags.first)
        recipes[2].tags.insert(cheap)
        recipes[0].tags.remove(cheap)
        try kitchen.context.save()
        #expect(cheap.recipes as? Set<Recipe> == [recipes[2], recipes[3]])
    }

    // Source: Apple, NSDeleteRule, 'cascadeDeleteRule'
    @Test("Deletes owned objects with their owner")
    func cascade() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        kitchen.context.delete(recipe)
        try kitchen.context.save()
        #expect(try kitchen.context.count(for: Ingredient.fetchRequest()) == 0)
    }

    // Source: Apple, NSDeleteRule, 'nullifyDeleteRule'
    @Test("Clears links to a deleted object")
    func nullify() throws {
        let kitchen = try Kitchen()
        let recipes = try kitchen.fill()
        kitchen.context.delete(try #require(recipes[0].cook))
        try kitchen.context.save()
        #expect(recipes[0].cook == nil && recipes[1].cook == nil && recipes[2].cook != nil)
    }

    // Source: Apple, NSDeleteRule, 'denyDeleteRule'
    @Test("Refuses to delete an object with a denying relationship")
    func deny() throws {
        let model = NSManagedObjectModel.kitchen()
        model.entitiesByName["Cook"]?.relationshipsByName["recipes"]?.deleteRule = .denyDeleteRule
        let kitchen = try Kitchen(model: model)
        let cook = try #require(try kitchen.fill()[0].cook)
        kitchen.context.delete(cook)
        do {
            try kitchen.context.save()
            Issue.record("saved")
        } catch let error as NSError {
            #expect(error.code == NSValidationRelationshipDeniedDeleteError)
        }
    }

    // Source: Apple, NSOrderedSet, ordered relationships
    @Test("Keeps the order of members")
    func ordered() throws {
        let kitchen = try Kitchen(.file)
        try kitchen.fill()
        let context = try kitchen.reopened().viewContext
        let request: NSFetchRequest<Recipe> = Recipe.fetchRequest()
        request.predicate = NSPredicate(format: "steps.@count > 0")
        let recipe = try #require(try context.fetch(request).first)
        #expect((recipe.steps?.array as? [Step])?.map(\.text) == ["Mix", "Rest", "Fry"])
    }

    // Source: Apple, NSManagedObject, 'mutableOrderedSetValue(forKey:)'
    @Test("Moves and inserts members at indexes")
    func mutableOrdered() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[1]
        let steps = recipe.mutableOrderedSetValue(forKey: "steps")
        steps.moveObjects(at: IndexSet(integer: 2), to: 0)
        let step = Step(context: kitchen.context)
        step.text = "Serve"
        steps.insert(step, at: 1)
        try kitchen.context.save()
        #expect((recipe.steps?.array as? [Step])?.map(\.text) == ["Fry", "Serve", "Mix", "Rest"])
    }

    // Source: Apple, NSManagedObject, 'objectIDs(forRelationshipNamed:)'
    @Test("Counts members without reading them")
    func identifiers() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        kitchen.context.refreshAllObjects()
        #expect(recipe.objectIDs(forRelationshipNamed: "tags").count == 2)
        #expect(recipe.objectIDs(forRelationshipNamed: "ingredients").count == 2)
    }

    // Source: Apple, NSFetchedPropertyDescription
    @Test("Reads a fetched property")
    func fetchedProperty() throws {
        let model = NSManagedObjectModel.kitchen()
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = model.entitiesByName["Recipe"]
        request.predicate = NSPredicate(format: "cook == $FETCH_SOURCE AND minutes <= 10")
        let quick = NSFetchedPropertyDescription()
        quick.name = "quickRecipes"
        quick.fetchRequest = request
        model.entitiesByName["Cook"]?.properties.append(quick)
        let kitchen = try Kitchen(model: model)
        let cook = try kitchen.fill()[0].cook
        #expect((cook?.value(forKey: "quickRecipes") as? [Recipe])?.map(\.name) == ["Tomato salad"])
    }

    // Source: Apple, 'Core Data Programming Guide', relationships to the same entity
    @Test("Builds a tree of one entity")
    func tree() throws {
        let folder = NSEntityDescription(
            "Folder", NSManagedObject.self, [NSAttributeDescription("name", .stringAttributeType)])
        folder.relate("children", to: folder, inverse: "parent", rule: .cascadeDeleteRule)
        let kitchen = try Kitchen(model: NSManagedObjectModel([folder]))
        func make(_ parent: NSManagedObject?) -> NSManagedObject {
            let made = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: kitchen.context)
            made.setValue(parent, forKey: "parent")
            return made
        }
        let root = make(nil)
        _ = make(make(root))
        try kitchen.context.save()
        kitchen.context.delete(root)
        try kitchen.context.save()
        #expect(try kitchen.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Folder")) == 0)
    }

    // Source: Apple, NSRelationshipDescription, 'minCount' and 'maxCount'
    @Test("CD30 Accepts an empty mandatory set without a minimum")
    func emptyMandatory() throws {
        let model = NSManagedObjectModel.kitchen()
        model.entitiesByName["Cook"]?.relationshipsByName["recipes"]?.isOptional = false
        let context = try Kitchen(model: model).context
        _ = Cook(context: context)
        try context.save()
        #expect(try context.count(for: Cook.fetchRequest()) == 1)
    }
}
