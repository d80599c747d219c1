import CoreData
import Foundation
import Testing

/// Models and their parts are equal if their content is equal.
@Suite struct ModelEqualityTests {
    @Test("A copy equals its original, until one of them changes")
    func copies() throws {
        let model = ModelZoo.zoo()
        model.setFetchRequestTemplate(NSFetchRequest(entityName: "Animal"), forName: "all")
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy == model)
        #expect(copy.hash == model.hash)
        for (name, entity) in model.entitiesByName {
            let other = try #require(copy.entitiesByName[name])
            #expect(other !== entity && other == entity && other.hash == entity.hash, "\(name)")
            #expect(other.propertiesByName == entity.propertiesByName, "\(name)")
        }
        #expect(ModelZoo.zoo() != model, "one has a request")
        copy.setFetchRequestTemplate(nil, forName: "all")
        #expect(copy == ModelZoo.zoo())
    }

    private static let changes: [(String, @Sendable (NSManagedObjectModel) throws -> Void)] = [
        ("an optional", { try animal($0).propertiesByName["name"]?.isOptional = true }),
        ("a default", { try attribute($0, "legs").defaultValue = 4 }),
        ("a type", { try attribute($0, "legs").attributeType = .integer64AttributeType }),
        ("a note", { try attribute($0, "legs").userInfo = ["why": ["because", 1]] }),
        (
            "a validation",
            {
                try attribute($0, "legs").setValidationPredicates(
                    [NSPredicate(format: "SELF > 1")], withValidationWarnings: ["too few"])
            }
        ),
        ("a former name", { try animal($0).renamingIdentifier = "Beast" }),
        (
            "a rule",
            {
                try #require($0.entitiesByName["Enclosure"]?.relationshipsByName["inhabitants"]).deleteRule =
                    .cascadeDeleteRule
            }
        ),
        ("a constraint", { try animal($0).uniquenessConstraints = [] }),
        ("a direction", { try animal($0).indexes[0].elements[0].isAscending = false }),
        ("a part of an index", { try animal($0).indexes[0].partialIndexPredicate = NSPredicate(format: "legs > 2") }),
        ("a property more", { try animal($0).properties.append(ModelZoo.attribute("extra", .string)) }),
        ("the hierarchy", { try animal($0).subentities = [] }),
        ("a class", { try animal($0).managedObjectClassName = "Beast" }),
        ("an identifier", { $0.versionIdentifiers = ["2"] }),
        ("a configuration", { $0.setEntities([], forConfigurationName: "Places") }),
    ]

    private static func animal(_ model: NSManagedObjectModel) throws -> NSEntityDescription {
        try #require(model.entitiesByName["Animal"])
    }

    private static func attribute(_ model: NSManagedObjectModel, _ name: String) throws -> NSAttributeDescription {
        try #require(try animal(model).attributesByName[name])
    }

    @Test("A difference in any part makes models unequal", arguments: changes.indices)
    func differences(_ index: Int) throws {
        let (what, change) = Self.changes[index]
        let (one, other) = (ModelZoo.zoo(), ModelZoo.zoo())
        #expect(one == other)
        try change(other)
        #expect(one != other, "\(what)")
        try change(one)
        #expect(one == other, "\(what)")
        #expect(one.hash == other.hash, "\(what)")
    }

    @Test("Kinds of properties differ, and computed ones by their expressions")
    func kinds() {
        let (plain, derived) = (ModelZoo.attribute("a", .integer64), NSDerivedAttributeDescription())
        derived.name = "a"
        derived.type = .integer64
        #expect(plain != derived && derived != plain)
        let other = derived.copy() as? NSDerivedAttributeDescription
        #expect(other == derived)
        other?.derivationExpression = NSExpression(format: "b.@count")
        #expect(other != derived)
        let (sum, count) = (NSExpressionDescription(), NSExpressionDescription())
        sum.expression = NSExpression(format: "sum(a)")
        count.expression = NSExpression(format: "sum(a)")
        #expect(sum == count)
        count.expression = NSExpression(format: "count(a)")
        #expect(sum != count)
        let (composite, same) = (NSCompositeAttributeDescription(), NSCompositeAttributeDescription())
        composite.elements = [ModelZoo.attribute("x", .double)]
        same.elements = [ModelZoo.attribute("x", .double)]
        #expect(composite == same)
        same.elements.append(ModelZoo.attribute("y", .double))
        #expect(composite != same)
    }
}
