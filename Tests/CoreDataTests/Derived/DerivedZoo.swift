import CoreData

extension Zoo {
    /// The zoo with derived attributes of every kind.
    static func derivedModel() -> NSManagedObjectModel {
        let model = Zoo.model()
        add(
            [
                derived("animalCount", .integer64AttributeType, "animals.@count"),
                derived("totalAge", .integer64AttributeType, "animals.@sum.age"),
                derived("totalWeight", .doubleAttributeType, "sum:(animals.weight)"),
                derived("upperName", .stringAttributeType, "uppercase:(name)"),
            ], to: "Category", of: model)
        add(
            [
                derived("searchName", .stringAttributeType, "canonical:(name)"),
                derived("copiedName", .stringAttributeType, "name"),
                derived("categoryName", .stringAttributeType, "category.name"),
                derived("loudCategory", .stringAttributeType, "category.upperName"),
                derived("quietCategory", .stringAttributeType, "lowercase:(category.name)"),
                derived("siblingCount", .integer64AttributeType, "category.animals.@count"),
                derived("tagCount", .integer16AttributeType, "tags.@count"),
                derived("touched", .dateAttributeType, "now()"),
            ], to: "Animal", of: model)
        add(
            [derived("keeperName", .stringAttributeType, "keeper.name")], to: "Mammal", of: model)
        add(
            [
                derived("animalCount", .integer64AttributeType, "count:(animals)"),
                derived("rankSum", .integer64AttributeType, "animals.category.rank.@sum"),
            ], to: "Person", of: model)
        return model
    }

    static func derived(
        _ name: String, _ type: NSAttributeType, _ expression: String
    ) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression = NSExpression(format: expression)
        return attribute
    }

    private static func add(
        _ attributes: [NSDerivedAttributeDescription], to entity: String, of model: NSManagedObjectModel
    ) {
        model.entitiesByName[entity]?.properties += attributes
    }
}
