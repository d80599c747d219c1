import CoreData
import Foundation

/// Shorthand for models made in code.
extension NSAttributeDescription {
    convenience init(_ name: String, _ type: NSAttributeType, optional: Bool = true, default value: Any? = nil) {
        self.init()
        self.name = name
        attributeType = type
        isOptional = optional
        defaultValue = value
    }
}

extension NSEntityDescription {
    convenience init(_ name: String, _ type: NSManagedObject.Type, _ properties: [NSPropertyDescription]) {
        self.init()
        self.name = name
        managedObjectClassName = NSStringFromClass(type)
        self.properties = properties
    }

    /// Adds a relationship to many objects, and its inverse to one or many.
    func relate(
        _ name: String, to other: NSEntityDescription, inverse: String, inverseMaximum: Int = 1,
        rule: NSDeleteRule = .nullifyDeleteRule, ordered: Bool = false
    ) {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = other
        relationship.maxCount = 0
        relationship.deleteRule = rule
        relationship.isOrdered = ordered
        let back = NSRelationshipDescription()
        back.name = inverse
        back.destinationEntity = self
        back.maxCount = inverseMaximum
        back.deleteRule = .nullifyDeleteRule
        relationship.inverseRelationship = back
        back.inverseRelationship = relationship
        properties.append(relationship)
        other.properties.append(back)
    }
}

extension NSManagedObjectModel {
    convenience init(_ entities: [NSEntityDescription]) {
        self.init()
        self.entities = entities
    }

    /// The sample model. Made anew, as a model in use cannot be changed.
    static func kitchen() -> NSManagedObjectModel {
        let recipe = NSEntityDescription(
            "Recipe", Recipe.self,
            [
                NSAttributeDescription("name", .stringAttributeType, optional: false, default: "Untitled"),
                NSAttributeDescription("minutes", .integer32AttributeType, default: 0),
                NSAttributeDescription("rating", .doubleAttributeType, default: 0.0),
                NSAttributeDescription("price", .decimalAttributeType),
                NSAttributeDescription("created", .dateAttributeType),
                NSAttributeDescription("uuid", .UUIDAttributeType),
                NSAttributeDescription("link", .URIAttributeType),
                NSAttributeDescription("vegetarian", .booleanAttributeType, default: true),
                NSAttributeDescription("photo", .binaryDataAttributeType),
                NSAttributeDescription("courseRaw", .integer16AttributeType, default: 0),
                NSAttributeDescription("notes", .stringAttributeType),
            ])
        let cook = NSEntityDescription(
            "Cook", Cook.self,
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("born", .dateAttributeType),
            ])
        let tag = NSEntityDescription("Tag", Tag.self, [NSAttributeDescription("label", .stringAttributeType)])
        tag.uniquenessConstraints = [["label"]]
        let ingredient = NSEntityDescription(
            "Ingredient", Ingredient.self,
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("amount", .doubleAttributeType, default: 0.0),
                NSAttributeDescription("cost", .decimalAttributeType),
            ])
        let step = NSEntityDescription("Step", Step.self, [NSAttributeDescription("text", .stringAttributeType)])
        cook.relate("recipes", to: recipe, inverse: "cook")
        recipe.relate("tags", to: tag, inverse: "recipes", inverseMaximum: 0)
        recipe.relate("ingredients", to: ingredient, inverse: "recipe", rule: .cascadeDeleteRule)
        recipe.relate("steps", to: step, inverse: "recipe", rule: .cascadeDeleteRule, ordered: true)
        return NSManagedObjectModel([recipe, cook, tag, ingredient, step])
    }
}
