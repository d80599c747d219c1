import CoreData

/// The models of `GraphModels` and `NullifyModels` for the Core Data face.
public enum ManagedModels {
    public static func graph() -> NSManagedObjectModel {
        let (category, animal) = (category(), animal())
        let visit = entity("Visit")
        let tag = entity("Tag")
        visit.properties = [attribute("when", .dateAttributeType), attribute("note", .stringAttributeType)]
        tag.properties = [attribute("name", .stringAttributeType)]
        link(category, "animals", .cascadeDeleteRule, toMany: true, animal, "category", toMany: false)
        link(animal, "visits", .cascadeDeleteRule, toMany: true, visit, "animal", toMany: false)
        link(animal, "tags", .nullifyDeleteRule, toMany: true, tag, "animals", toMany: true)
        let model = NSManagedObjectModel()
        model.entities = [category, animal, visit, tag]
        return model
    }

    /// A category's animals survive it, and no other rows refer to an animal.
    public static func nullify() -> NSManagedObjectModel {
        let (category, animal) = (category(), animal())
        link(category, "animals", .nullifyDeleteRule, toMany: true, animal, "category", toMany: false)
        let model = NSManagedObjectModel()
        model.entities = [category, animal]
        return model
    }

    private static func category() -> NSEntityDescription {
        let category = entity("AnimalCategory")
        category.properties = [attribute("name", .stringAttributeType)]
        category.uniquenessConstraints = [["name"]]
        return category
    }

    private static func animal() -> NSEntityDescription {
        let animal = entity("Animal", ManagedAnimal.self)
        animal.properties = [
            attribute("name", .stringAttributeType), attribute("diet", .stringAttributeType),
            attribute("age", .integer64AttributeType), attribute("weight", .doubleAttributeType),
            attribute("born", .dateAttributeType),
        ]
        return animal
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type? = nil) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = type.map { String(reflecting: $0) } ?? "NSManagedObject"
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = false
        attribute.defaultValue =
            switch type {
            case .stringAttributeType: ""
            case .dateAttributeType: Date(timeIntervalSinceReferenceDate: 0)
            default: 0
            }
        return attribute
    }

    /// A relationship with its inverse, whose rule is nullify.
    private static func link(
        _ source: NSEntityDescription, _ name: String, _ rule: NSDeleteRule, toMany: Bool,
        _ destination: NSEntityDescription, _ inverseName: String, toMany inverseToMany: Bool
    ) {
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, back.name) = (name, inverseName)
        (there.destinationEntity, back.destinationEntity) = (destination, source)
        (there.maxCount, back.maxCount) = (toMany ? 0 : 1, inverseToMany ? 0 : 1)
        (there.deleteRule, back.deleteRule) = (rule, .nullifyDeleteRule)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        source.properties.append(there)
        destination.properties.append(back)
    }
}

public final class ManagedAnimal: NSManagedObject {
    @Managed public var name: String
    @Managed public var diet: String
    @Managed public var age: Int64
    @Managed public var weight: Double
    @Managed public var born: Date
    @Managed public var category: NSManagedObject?
}
