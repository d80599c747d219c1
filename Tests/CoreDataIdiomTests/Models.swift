import CoreData
import Foundation
import Testing

@MainActor @Suite("Models")
struct Models {
    // Source: Apple, NSManagedObjectModel
    @Test("Looks up entities, attributes and relationships by name")
    func lookUp() throws {
        let model = NSManagedObjectModel.kitchen()
        let recipe = try #require(model.entitiesByName["Recipe"])
        #expect(model.entities.count == 5)
        #expect(recipe.attributesByName["minutes"]?.attributeType == .integer32AttributeType)
        #expect(recipe.relationshipsByName.keys.sorted() == ["cook", "ingredients", "steps", "tags"])
        #expect(recipe.relationshipsByName["cook"]?.inverseRelationship?.name == "recipes")
        #expect(recipe.relationshipsByName["steps"]?.isOrdered == true)
    }

    // Source: Apple, NSEntityDescription, 'relationships(forDestination:)'
    @Test("Finds the relationships to an entity")
    func destinations() throws {
        let model = NSManagedObjectModel.kitchen()
        let tag = try #require(model.entitiesByName["Tag"])
        let found = model.entitiesByName["Recipe"]?.relationships(forDestination: tag)
        #expect(found?.map(\.name) == ["tags"] && found?.first?.isToMany == true)
    }

    // Source: Apple, NSManagedObject, 'entity()'
    @Test("Reads the entity of a class")
    func entityOfClass() throws {
        let kitchen = try Kitchen()
        #expect(Recipe(context: kitchen.context).entity.name == "Recipe")
        #expect(Recipe.entity().managedObjectClassName == NSStringFromClass(Recipe.self))
    }

    // Source: Apple, NSEntityDescription, 'subentities'
    @Test("Fetches subentities with their superentity")
    func inheritance() throws {
        let animal = NSEntityDescription(
            "Animal", NSManagedObject.self, [NSAttributeDescription("name", .stringAttributeType)])
        let dog = NSEntityDescription("Dog", NSManagedObject.self, [])
        animal.subentities = [dog]
        let context = try Kitchen(model: NSManagedObjectModel([animal, dog])).context
        for entity in ["Animal", "Dog"] {
            NSEntityDescription.insertNewObject(forEntityName: entity, into: context).setValue(entity, forKey: "name")
        }
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
        #expect(try context.count(for: request) == 2)
        request.includesSubentities = false
        #expect(try context.count(for: request) == 1)
        #expect(dog.isKindOf(entity: animal))
    }

    // Source: Apple, NSEntityDescription, 'isAbstract'
    @Test("Inserts no object of an abstract entity")
    func abstract() throws {
        let shape = NSEntityDescription(
            "Shape", NSManagedObject.self, [NSAttributeDescription("name", .stringAttributeType)])
        shape.isAbstract = true
        let circle = NSEntityDescription("Circle", NSManagedObject.self, [])
        shape.subentities = [circle]
        let context = try Kitchen(model: NSManagedObjectModel([shape, circle])).context
        let made = NSEntityDescription.insertNewObject(forEntityName: "Circle", into: context)
        #expect(made.entity.superentity?.name == "Shape" && shape.isAbstract)
    }

    // Source: Apple, NSEntityDescription, 'uniquenessConstraints'
    @Test("Declares unique values")
    func constraints() {
        let constraints = NSManagedObjectModel.kitchen().entitiesByName["Tag"]?.uniquenessConstraints
        #expect(constraints as? [[String]] == [["label"]])
    }

    // Source: Apple, NSFetchIndexDescription
    @Test("Declares an index for a frequent fetch")
    func indexes() throws {
        let model = NSManagedObjectModel.kitchen()
        let recipe = try #require(model.entitiesByName["Recipe"])
        let minutes = try #require(recipe.attributesByName["minutes"])
        let element = NSFetchIndexElementDescription(property: minutes, collationType: .binary)
        recipe.indexes = [NSFetchIndexDescription(name: "byMinutes", elements: [element])]
        let kitchen = try Kitchen(.file, model: model)
        try kitchen.fill()
        #expect(try kitchen.names(NSPredicate(format: "minutes == 60")) == ["Éclair"])
    }

    // Source: Apple, NSManagedObjectModel, 'entityVersionHashesByName'
    @Test("Compares two versions by their hashes")
    func hashes() {
        let first = NSManagedObjectModel.kitchen()
        let second = NSManagedObjectModel.kitchen()
        #expect(first.entityVersionHashesByName == second.entityVersionHashesByName)
        second.entitiesByName["Recipe"]?.attributesByName["notes"]?.versionHashModifier = "v2"
        #expect(first.entityVersionHashesByName["Recipe"] != second.entityVersionHashesByName["Recipe"])
        #expect(first.versionChecksum != second.versionChecksum)
    }

    // Source: Apple, NSManagedObjectModel, 'init(byMerging:)'
    @Test("Merges two models into one")
    func merge() throws {
        let tea = NSManagedObjectModel([
            NSEntityDescription("Tea", NSManagedObject.self, [NSAttributeDescription("name", .stringAttributeType)])
        ])
        let merged = try #require(NSManagedObjectModel(byMerging: [.kitchen(), tea]))
        #expect(merged.entities.count == 6)
    }

    // Source: Apple, NSManagedObjectModel, 'configurations'
    @Test("Divides entities among configurations")
    func configurations() throws {
        let model = NSManagedObjectModel.kitchen()
        model.setEntities([try #require(model.entitiesByName["Tag"])], forConfigurationName: "Labels")
        #expect(model.configurations == ["Labels"])
        #expect(model.entities(forConfigurationName: "Labels")?.map(\.name) == ["Tag"])
    }

    // Source: Apple, NSEntityDescription, 'userInfo'
    @Test("Attaches custom values to a model")
    func userInfo() {
        let model = NSManagedObjectModel.kitchen()
        model.entitiesByName["Recipe"]?.userInfo = ["sync": "yes"]
        model.versionIdentifiers = ["1.2"]
        #expect(model.entitiesByName["Recipe"]?.userInfo?["sync"] as? String == "yes")
        #expect(model.versionIdentifiers == ["1.2"])
    }

    // Source: Apple, NSManagedObjectModel, mutability
    @Test("CD5 Leaves a model in use unchanged")
    func inUse() throws {
        let kitchen = try Kitchen()
        let model = kitchen.container.managedObjectModel
        model.entitiesByName["Recipe"]?.name = "Dish"
        #expect(model.entitiesByName["Recipe"] != nil && model.entitiesByName["Dish"] == nil)
    }

    // Source: Apple, NSManagedObjectModel, 'copy'
    @Test("Copies a model before it changes it")
    func copied() throws {
        let model = NSManagedObjectModel.kitchen()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        copy.entitiesByName["Recipe"]?.properties.append(NSAttributeDescription("stars", .integer16AttributeType))
        #expect(copy.entitiesByName["Recipe"]?.attributesByName["stars"] != nil)
        #expect(model.entitiesByName["Recipe"]?.attributesByName["stars"] == nil)
    }

    // Source: Apple, NSPropertyDescription of a subentity
    @Test("CD6 Gives the declaring entity as the entity of an inherited property")
    func inherited() {
        let animal = NSEntityDescription(
            "Animal", NSManagedObject.self, [NSAttributeDescription("name", .stringAttributeType)])
        let dog = NSEntityDescription("Dog", NSManagedObject.self, [])
        animal.subentities = [dog]
        let model = NSManagedObjectModel([animal, dog])
        #expect(model.entitiesByName["Dog"]?.propertiesByName["name"]?.entity.name == "Animal")
    }

    // Source: widely copied recipe: a relationship without a maximum
    @Test("Treats the largest integer as no maximum")
    func noMaximum() throws {
        let model = NSManagedObjectModel.kitchen()
        model.entitiesByName["Cook"]?.relationshipsByName["recipes"]?.maxCount = .max
        #expect(try Kitchen(model: model).fill().count == 4)
    }
}
