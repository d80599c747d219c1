import CoreData

/// A model with one relationship for each rule, made in code.
enum Zoo {
    /// - Parameter tag: the class of tags.
    static func model(tag tagClass: NSManagedObject.Type = NSManagedObject.self) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let animal = entity("Animal", Animal.self)
        let mammal = entity("Mammal", Mammal.self)
        let category = entity("Category", NSManagedObject.self)
        let person = entity("Person", NSManagedObject.self)
        let tag = entity("Tag", tagClass)
        animal.properties = [
            attribute("name", .stringAttributeType, optional: false),
            attribute("age", .integer16AttributeType, default: 1),
            attribute("weight", .doubleAttributeType), attribute("born", .dateAttributeType),
            attribute("note", .stringAttributeType, transient: true),
        ]
        mammal.properties = [attribute("legs", .integer64AttributeType)]
        animal.subentities = [mammal]
        category.properties = [
            attribute("name", .stringAttributeType, optional: false), attribute("rank", .integer64AttributeType),
        ]
        category.uniquenessConstraints = [["name"]]
        person.properties = [attribute("name", .stringAttributeType)]
        tag.properties = [attribute("label", .stringAttributeType)]
        link(category, "animals", .toMany, .cascadeDeleteRule, animal, "category", .toOne, .nullifyDeleteRule)
        link(person, "animals", .toMany, .nullifyDeleteRule, animal, "keeper", .toOne, .nullifyDeleteRule)
        link(tag, "animals", .toMany, .nullifyDeleteRule, animal, "tags", .toMany, .nullifyDeleteRule)

        // A one-to-one whose inverse is mandatory.
        let info = entity("ContentSyncedInfo", NSManagedObject.self)
        let content = entity("Content", NSManagedObject.self)
        info.properties = [attribute("state", .stringAttributeType)]
        content.properties = [attribute("title", .stringAttributeType)]
        link(
            info, "content", .toOne, .nullifyDeleteRule, content, "info", .toOne, .cascadeDeleteRule,
            backOptional: false)

        // A relationship with the rule deny.
        let customer = entity("Customer", NSManagedObject.self)
        let order = entity("Order", NSManagedObject.self)
        customer.properties = [attribute("name", .stringAttributeType)]
        order.properties = [attribute("number", .integer64AttributeType)]
        link(customer, "orders", .toMany, .denyDeleteRule, order, "customer", .toOne, .nullifyDeleteRule)

        // A to-many relationship with a minimum count, and a one-to-many whose inverse is mandatory.
        let team = entity("Team", NSManagedObject.self)
        let player = entity("Player", NSManagedObject.self)
        team.properties = [attribute("name", .stringAttributeType)]
        player.properties = [attribute("name", .stringAttributeType)]
        link(team, "players", .toMany, .nullifyDeleteRule, player, "team", .toOne, .nullifyDeleteRule)
        team.relationshipsByName["players"]?.minCount = 1
        team.relationshipsByName["players"]?.isOptional = false

        model.entities = [animal, mammal, category, person, tag, info, content, customer, order, team, player]
        model.setEntities([customer, order], forConfigurationName: "Sales")
        model.setEntities([animal, mammal, category, person, tag], forConfigurationName: "Animals")
        return model
    }

    enum Many {
        case toOne, toMany
    }

    static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = type == NSManagedObject.self ? "NSManagedObject" : String(reflecting: type)
        return entity
    }

    static func attribute(
        _ name: String, _ type: NSAttributeType, optional: Bool = true, default value: Any? = nil,
        transient: Bool = false
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        attribute.defaultValue = value
        attribute.isTransient = transient
        return attribute
    }

    static func link(
        _ one: NSEntityDescription, _ name: String, _ many: Many, _ rule: NSDeleteRule, _ other: NSEntityDescription,
        _ backName: String, _ backMany: Many, _ backRule: NSDeleteRule, backOptional: Bool = true
    ) {
        let forth = relationship(name, many, rule, other)
        let back = relationship(backName, backMany, backRule, one)
        back.isOptional = backOptional
        one.properties += [forth]
        other.properties += [back]
        forth.inverseRelationship = back
        back.inverseRelationship = forth
    }

    private static func relationship(
        _ name: String, _ many: Many, _ rule: NSDeleteRule, _ destination: NSEntityDescription
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.maxCount = many == .toOne ? 1 : 0
        relationship.deleteRule = rule
        relationship.destinationEntity = destination
        return relationship
    }
}

class Animal: NSManagedObject {
    /// Names of the hooks, in the order they ran.
    var hooks: [String] = []
    /// Actions of the hooks, if a test sets them.
    var onDeletion: ((Animal) -> Void)?
    var onSave: ((Animal) -> Void)?
    var onValidation: ((Animal) -> Void)?
    var mayBeDeleted = true
    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }

    override func awakeFromInsert() { hooks.append("awakeFromInsert") }
    override func awakeFromFetch() { hooks.append("awakeFromFetch") }
    override func prepareForDeletion() {
        hooks.append("prepareForDeletion")
        onDeletion?(self)
    }
    override func willSave() {
        hooks.append("willSave")
        onSave?(self)
    }
    override func didSave() { hooks.append("didSave") }

    override func validateForUpdate() throws {
        onValidation?(self)
        try super.validateForUpdate()
    }

    override func validateForInsert() throws {
        onValidation?(self)
        try super.validateForInsert()
    }

    override func validateForDelete() throws {
        if !mayBeDeleted { throw CocoaError(.managedObjectValidation) }
        try super.validateForDelete()
    }

    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        if key == "name", value as? String == "trimmed " { value = "trimmed" }
        try super.validateValue(&value, forKey: key)
    }
}

class Mammal: Animal {}
