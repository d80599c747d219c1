import CoreData
import Foundation

/// Models built in code, as programs build them.
enum ModelZoo {
    static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType, optional: Bool = true
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = optional
        return attribute
    }

    static func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    /// A relationship and its inverse; 0 for "to many".
    @discardableResult
    static func relate(
        _ source: NSEntityDescription, _ name: String, maximum: Int, _ destination: NSEntityDescription,
        inverse: String, maximum inverseMaximum: Int
    ) -> NSRelationshipDescription {
        let (end, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (end.name, back.name) = (name, inverse)
        (end.destinationEntity, back.destinationEntity) = (destination, source)
        (end.inverseRelationship, back.inverseRelationship) = (back, end)
        (end.maxCount, back.maxCount) = (maximum, inverseMaximum)
        source.properties.append(end)
        destination.properties.append(back)
        return end
    }

    static func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    /// Animals in enclosures; birds are animals.
    static func zoo() -> NSManagedObjectModel {
        let animal = entity(
            "Animal", [attribute("name", .string, optional: false), attribute("legs", .integer16)])
        let bird = entity("Bird", [attribute("wingspan", .double)])
        let enclosure = entity("Enclosure", [attribute("title", .string)])
        relate(enclosure, "inhabitants", maximum: 0, animal, inverse: "home", maximum: 1).deleteRule = .denyDeleteRule
        animal.subentities = [bird]
        animal.uniquenessConstraints = [["name"]]
        let element = NSFetchIndexElementDescription(
            property: animal.propertiesByName["legs"] ?? NSPropertyDescription(), collationType: .binary)
        animal.indexes = [NSFetchIndexDescription(name: "byLegs", elements: [element])]
        let model = model([animal, bird, enclosure])
        model.versionIdentifiers = ["1"]
        model.setEntities([enclosure], forConfigurationName: "Places")
        return model
    }
}
