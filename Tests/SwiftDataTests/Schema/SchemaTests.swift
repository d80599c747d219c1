import Foundation
import SwiftData
import TestSupport
import Testing

// MARK: - Models

/// Recipes of a game, as in a store written by Apple's framework: no relationship has an annotation.
enum Crafting {
    @Model final class Component {
        var count: Int
        var craftingRecipe: CraftingRecipe?
        var id: UUID
        var item: Item?

        init() {
            count = 1
            id = UUID()
        }
    }

    @Model final class CraftingRecipe {
        var producedItem: Item?
        var producedItemCount: String = ""
        var requiredComponents: [Component] = []

        init() {}
    }

    @Model final class Item {
        var craftingRecipe: CraftingRecipe?
        @Attribute(.unique, originalName: "title") var name: String = "none"

        init() {}
    }
}

enum Office {
    struct Address: Codable {
        var street: String
        var city: String
    }

    @Model class Person {
        #Index<Person>([\.name], [\.name, \.age])
        #Unique<Person>([\.name, \.age])
        var name: String = "nobody"
        var age: Int = 0
        var address: Address?
        var boss: Person?
        @Relationship(deleteRule: .deny, minimumModelCount: 1, maximumModelCount: 4) var staff: [Person] = []

        init() {}
    }

    @Model final class Employee: Person {
        @Attribute(.externalStorage, .preserveValueOnDeletion) var photo: Data?
        @Attribute(.ephemeral) var isSelected: Bool = false

        override init() { super.init() }
    }
}

enum Shapes {
    @Model final class Note {
        @Relationship(inverse: \Tag.notes) var tags: [Tag] = []
        var labels: [Label] = []
        @Relationship(inverse: nil) var folder: Folder?

        init() {}
    }

    @Model final class Tag {
        var notes: [Note]?

        init() {}
    }

    @Model final class Label {
        var notes: [Note] = []

        init() {}
    }

    @Model final class Folder {
        var notes: [Note] = []

        init() {}
    }

    @Model final class Child {
        var mother: Parent?
        var father: Parent?

        init() {}
    }

    @Model final class Parent {
        var children: [Child] = []

        init() {}
    }

    @Model final class Wheel {
        var car: Car

        init(car: Car) { self.car = car }
    }

    @Model final class Car {
        var wheels: [Wheel] = []

        init() {}
    }
}

enum FirstVersion: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Shapes.Tag.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
}

enum SecondVersion: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Shapes.Parent.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
}

enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [FirstVersion.self, SecondVersion.self] }
    static var stages: [MigrationStage] { [stage] }
    static let stage = MigrationStage.custom(
        fromVersion: FirstVersion.self, toVersion: SecondVersion.self,
        willMigrate: { context in try context.save() }, didMigrate: nil)
}

private func inverse(_ schema: Schema, _ entity: String, _ relationship: String) -> String? {
    schema.entitiesByName[entity]?.relationshipsByName[relationship]?.inverseName
}

// MARK: - Tests

@Suite("Schema")
struct SchemaTests {
    @Test("A schema contains every model reachable by relationships, given ones first")
    func reachesModels() {
        let schema = Schema([Crafting.Component.self])
        #expect(schema.entities.map(\.name) == ["Component", "CraftingRecipe", "Item"])
        #expect(schema.entity(for: Crafting.Item.self)?.name == "Item")
        #expect(schema.entity(for: Shapes.Tag.self) == nil)
        #expect(Schema.entityName(for: Crafting.Item.self) == "Item")
    }

    @Test("A schema contains superclasses, and subclasses have inherited properties first")
    func inheritance() throws {
        let schema = Schema(Office.Employee.self)
        let employee = try #require(schema.entity(for: Office.Employee.self))
        #expect(employee.superentity === schema.entity(for: Office.Person.self))
        #expect(employee.superentityName == "Person")
        #expect(employee.properties.map(\.name) == ["name", "age", "address", "boss", "staff", "photo", "isSelected"])
        #expect(employee.storedProperties.map(\.name) == ["photo", "isSelected"])
        #expect(employee.attributesByName["isSelected"]?.isTransient == true)
        #expect(schema.entity(for: Office.Person.self)?.subentities == [employee])
    }

    @Test("Inverses without annotation are those of Apple's store")
    func appleInverses() {
        let schema = Schema(Crafting.Component.self)
        #expect(inverse(schema, "CraftingRecipe", "producedItem") == "craftingRecipe")
        #expect(inverse(schema, "Item", "craftingRecipe") == "producedItem")
        #expect(inverse(schema, "CraftingRecipe", "requiredComponents") == "craftingRecipe")
        #expect(inverse(schema, "Component", "craftingRecipe") == "requiredComponents")
        #expect(inverse(schema, "Component", "item") == nil)
    }

    @Test("An explicit inverse holds for both sides; many-to-many and mandatory ends are not inferred")
    func otherInverses() {
        let schema = Schema([Shapes.Note.self, Shapes.Child.self, Shapes.Wheel.self])
        #expect(inverse(schema, "Note", "tags") == "notes")
        #expect(inverse(schema, "Tag", "notes") == "tags")
        #expect(inverse(schema, "Note", "labels") == nil)
        #expect(inverse(schema, "Wheel", "car") == nil)
        #expect(inverse(schema, "Car", "wheels") == nil)
        #expect(inverse(schema, "Parent", "children") == nil, "two pairs fit, so none is taken")
    }

    @Test("inverse: nil makes a relationship one-way")
    func oneWay() {
        let schema = Schema(Shapes.Note.self)
        #expect(inverse(schema, "Note", "folder") == nil)
        #expect(inverse(schema, "Folder", "notes") == nil)
    }

    @Test("A relationship and its inverse may be in one class")
    func selfReference() {
        #expect(inverse(Schema(Office.Person.self), "Person", "boss") == "staff")
    }

    @Test("Annotations are in the schema")
    func annotations() throws {
        let schema = Schema([Crafting.Item.self, Office.Employee.self])
        let name = try #require(schema.entitiesByName["Item"]?.attributesByName["name"])
        #expect(name.isUnique)
        #expect(name.originalName == "title")
        #expect(name.defaultValue as? String == "none")
        #expect(schema.entitiesByName["Item"]?.uniquenessConstraints == [["name"]])
        let person = try #require(schema.entitiesByName["Person"])
        #expect(person.indices == [["name"], ["name", "age"]])
        #expect(person.uniquenessConstraints == [["name", "age"]])
        let staff = try #require(person.relationshipsByName["staff"])
        #expect(staff.deleteRule == .deny)
        #expect(staff.minimumModelCount == 1 && staff.maximumModelCount == 4)
        #expect(!staff.isToOneRelationship && !staff.isOptional)
        #expect(person.relationshipsByName["boss"]?.isOptional == true)
        let address = try #require(person.attributesByName["address"] as? Schema.CompositeAttribute)
        #expect(address.isOptional)
        #expect(address.properties.map(\.name) == ["street", "city"])
    }

    @Test("A schema read back from a file equals the one written")
    func savesAndLoads() throws {
        let schema = Schema([Office.Employee.self, Shapes.Note.self], version: Schema.Version(1, 2, 3))
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("schema.json")
        try schema.save(to: url)
        let loaded = try Schema.load(from: url)
        #expect(loaded == schema)
        #expect(loaded.version == Schema.Version(1, 2, 3))
        #expect(loaded.entitiesByName["Employee"]?.superentity?.name == "Person")
        #expect(loaded.entitiesByName["Employee"]?.inheritedProperties.count == 5)
        #expect(inverse(loaded, "Note", "tags") == "notes")
    }

    @Test("Versions are ordered by major, minor, patch")
    func versions() {
        #expect(Schema.Version(1, 9, 9) < Schema.Version(2, 0, 0))
        #expect(Schema.Version(2, 0, 1) > Schema.Version(2, 0, 0))
        #expect(Schema.Version(2, 10, 0).description == "2.10.0")
        #expect(Schema(versionedSchema: SecondVersion.self).version == Schema.Version(2, 0, 0))
        #expect(Plan.stages.count == 1)
    }

    @Test("#Index and #Unique are encoded by property names")
    func declarationsAreCodable() throws {
        let unique = Schema.Unique<Office.Person>([\.name, \.age])
        #expect(try JSONDecoder().decode(type(of: unique), from: JSONEncoder().encode(unique)) == unique)
        let index = Schema.Index<Office.Person>(.binary([\.name]), .rtree([\.age]))
        #expect(try JSONDecoder().decode(type(of: index), from: JSONEncoder().encode(index)) == index)
    }
}
