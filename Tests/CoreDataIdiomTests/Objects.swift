import CoreData
import Foundation
import Testing

/// The dish of a course.
final class Plate: NSManagedObject {
    @Managed var course: Course
}

@MainActor @Suite("Objects")
struct Objects {
    // Source: Xcode's Core Data template
    @Test("Inserts an object by its class")
    func byClass() throws {
        let context = try Kitchen().context
        let recipe = Recipe(context: context)
        #expect(recipe.isInserted && context.insertedObjects == [recipe])
        #expect(recipe.name == "Untitled" && recipe.vegetarian)
    }

    // Source: Apple, 'Core Data Programming Guide', Creating and Saving Managed Objects
    @Test("Inserts an object by its entity's name")
    func byName() throws {
        let context = try Kitchen().context
        let recipe = NSEntityDescription.insertNewObject(forEntityName: "Recipe", into: context) as? Recipe
        #expect(recipe?.entity.name == "Recipe")
    }

    // Source: widely copied recipe: insertion by entity description
    @Test("Inserts an object by its entity")
    func byEntity() throws {
        let context = try Kitchen().context
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Recipe", in: context))
        let recipe = Recipe(entity: entity, insertInto: context)
        #expect(recipe.managedObjectContext === context)
    }

    // Source: widely copied recipe: objects that are inserted later
    @Test("Makes an object outside a context and inserts it later")
    func later() throws {
        let context = try Kitchen().context
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Recipe", in: context))
        let recipe = Recipe(entity: entity, insertInto: nil)
        recipe.name = "Toast"
        #expect(recipe.managedObjectContext == nil)
        context.insert(recipe)
        try context.save()
        #expect(!recipe.objectID.isTemporaryID)
    }

    // Source: Xcode's Core Data template
    @Test("Deletes an object")
    func delete() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[2]
        kitchen.context.delete(recipe)
        #expect(recipe.isDeleted)
        try kitchen.context.save()
        #expect(recipe.managedObjectContext == nil)
        #expect(try kitchen.names() == ["Tomato salad", "pancakes", "Beef stew"])
    }

    // Source: Apple, NSManagedObject, 'changedValues()'
    @Test("Reads which values changed since the last save")
    func changed() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        recipe.name = "Salad"
        recipe.minutes = 12
        #expect(recipe.changedValues().keys.sorted() == ["minutes", "name"])
        #expect(recipe.committedValues(forKeys: ["name"])["name"] as? String == "Tomato salad")
        #expect(recipe.isUpdated && recipe.hasPersistentChangedValues)
    }

    // Source: Apple, NSManagedObject, 'committedValues(forKeys:)'
    @Test("Shows nil as NSNull among changed values")
    func changedToNil() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        recipe.cook = nil
        #expect(recipe.changedValues()["cook"] is NSNull)
        #expect(recipe.committedValues(forKeys: ["notes"])["notes"] is NSNull)
    }

    // Source: widely copied recipe: setting a value that is there already
    @Test("CD43 Leaves an object unchanged when a property is set to its current value")
    func sameValue() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        recipe.name = "Tomato salad"
        #expect(!recipe.hasChanges)
    }

    // Source: Apple, 'Core Data Programming Guide', Faulting and Uniquing
    @Test("Turns an object into a fault and reads it again")
    func faults() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        kitchen.context.refresh(recipe, mergeChanges: false)
        #expect(recipe.isFault)
        #expect(recipe.name == "Tomato salad")
        #expect(!recipe.isFault)
    }

    // Source: Apple, NSManagedObjectContext, 'refresh(_:mergeChanges:)'
    @Test("Discards changes by refreshing, or keeps them")
    func refresh() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        recipe.name = "Salad"
        kitchen.context.refresh(recipe, mergeChanges: true)
        #expect(recipe.name == "Salad")
        kitchen.context.refresh(recipe, mergeChanges: false)
        #expect(recipe.name == "Tomato salad")
    }

    // Source: Apple, NSManagedObjectID
    @Test("Finds an object again by a saved URI")
    func uri() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let text = recipe.objectID.uriRepresentation().absoluteString
        let url = try #require(URL(string: text))
        let id = try #require(kitchen.coordinator.managedObjectID(forURIRepresentation: url))
        #expect(try kitchen.context.existingObject(with: id) === recipe)
    }

    // Source: Apple, NSManagedObjectContext, 'existingObject(with:)'
    @Test("Throws for an object whose row is gone")
    func missing() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let url = recipe.objectID.uriRepresentation().deletingLastPathComponent().appendingPathComponent("p999")
        let id = try #require(kitchen.coordinator.managedObjectID(forURIRepresentation: url))
        do {
            _ = try kitchen.context.existingObject(with: id)
            Issue.record("found")
        } catch let error as NSError {
            #expect(error.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    // Source: Apple, NSManagedObjectContext, 'obtainPermanentIDs(for:)'
    @Test("Obtains a permanent identifier before the save")
    func permanent() throws {
        let context = try Kitchen().context
        let recipe = Recipe(context: context)
        #expect(recipe.objectID.isTemporaryID)
        try context.obtainPermanentIDs(for: [recipe])
        #expect(!recipe.objectID.isTemporaryID)
    }

    // Source: widely copied recipe: enums over stored numbers
    @Test("Wraps a stored number in an enum")
    func wrapped() throws {
        let recipe = Recipe(context: try Kitchen().context)
        recipe.course = .dessert
        #expect(recipe.courseRaw == 2)
        #expect(recipe.course == .dessert)
    }

    // Source: widely copied recipe: copying an object
    @Test("Copies an object's attributes and relationships by its entity")
    func copy() throws {
        let kitchen = try Kitchen()
        let recipe = try kitchen.fill()[0]
        let copy = NSEntityDescription.insertNewObject(forEntityName: recipe.entity.name!, into: kitchen.context)
        for key in recipe.entity.attributesByName.keys { copy.setValue(recipe.value(forKey: key), forKey: key) }
        for (key, relationship) in recipe.entity.relationshipsByName
        where relationship.inverseRelationship?.isToMany == true {
            copy.setValue(recipe.value(forKey: key), forKey: key)
        }
        #expect((copy as? Recipe)?.name == "Tomato salad")
        #expect((copy as? Recipe)?.tags == recipe.tags && (copy as? Recipe)?.cook == recipe.cook)
        #expect(recipe.ingredients?.count == 2)
    }

    // Source: widely copied recipe: a mandatory text that has no value yet
    @Test("CD58 Reads a missing value of a property that is not optional as empty")
    func missingValue() throws {
        let recipe = Recipe(context: try Kitchen().context)
        recipe.setValue(nil, forKey: "name")
        recipe.setValue(nil, forKey: "minutes")
        #expect(recipe.name == "" && recipe.minutes == 0)
        #expect(recipe.value(forKey: "name") == nil)
    }

    // Source: widely copied recipe: any class by a generic function
    @Test("Makes an object of a generic type")
    func generic() throws {
        func make<Object: NSManagedObject>(_ type: Object.Type, in context: NSManagedObjectContext) -> Object {
            Object(context: context)
        }
        #expect(make(Recipe.self, in: try Kitchen().context).name == "Untitled")
    }

    // Source: widely copied recipe: insertion by entity description, of the base class
    @Test("Gives an object of the entity's class when the base class is made")
    func baseClass() throws {
        let context = try Kitchen().context
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Recipe", in: context))
        #expect(NSManagedObject(entity: entity, insertInto: context) is Recipe)
    }

    // Source: Apple, enums over scalar properties
    @Test("Declares a property as an enum over the stored number")
    func enumProperty() throws {
        let course = NSAttributeDescription("course", .integer16AttributeType, default: 1)
        let model = NSManagedObjectModel([NSEntityDescription("Plate", Plate.self, [course])])
        let plate = Plate(context: try Kitchen(model: model).context)
        #expect(plate.course == .main)
        plate.course = .dessert
        #expect(plate.value(forKey: "course") as? Int == 2)
    }
}
