import Foundation
import ObjectGraph
import Testing

@testable import CoreData

@Suite("Compiling models")
struct ModelCompilingTests {
    private func error(_ model: NSManagedObjectModel) -> ManagedObjectModelError? {
        do throws(ManagedObjectModelError) {
            _ = try model.compiled()
            return nil
        } catch {
            return error
        }
    }

    private func error(_ properties: NSPropertyDescription...) -> ManagedObjectModelError? {
        error(ModelZoo.model([ModelZoo.entity("Note", properties)]))
    }

    @Test("A model compiles to the engine's model, with entities by name")
    func compiled() throws {
        let model = try ModelZoo.zoo().compiled()
        #expect(model.entities.map(\.name) == ["Animal", "Bird", "Enclosure"])
        #expect(model.versionIdentifiers == ["1"])
        let bird = try #require(model.entity(named: "Bird"))
        #expect(bird.superentityIndex == model.entity(named: "Animal")?.index)
        #expect(bird.attribute(named: "name")?.attribute.isOptional == false)
        let inhabitants = try #require(model.entity(named: "Enclosure")?.relationship(named: "inhabitants"))
        #expect(inhabitants.relationship.deleteRule == .deny)
        #expect(model.inverse(of: inhabitants)?.name == "home")
        #expect(model.entity(named: "Animal")?.uniquenessConstraints == [["name"]])
        #expect(model.entity(named: "Animal")?.indexes == [FetchIndex(name: "byLegs", propertyNames: ["legs"])])
    }

    @Test("All settings that affect how rows are stored are compiled")
    func details() throws {
        let photo = ModelZoo.attribute("photo", .binaryData)
        photo.allowsExternalBinaryDataStorage = true
        photo.preservesValueInHistoryOnDeletion = true
        photo.versionHashModifier = "m"
        photo.renamingIdentifier = "picture"
        let mood = ModelZoo.attribute("mood", .undefined)
        mood.isTransient = true
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [ModelZoo.attribute("x", .double), ModelZoo.attribute("y", .double)]
        place.defaultValue = ["y": 2.5]
        let entity = ModelZoo.entity("Note", [photo, mood, place])
        entity.renamingIdentifier = "Memo"
        entity.versionHashModifier = "e"
        let compiled = try #require(try ModelZoo.model([entity]).compiled().entity(named: "Note"))
        let stored = try #require(compiled.attribute(named: "photo")?.attribute)
        #expect(stored.allowsExternalStorage && stored.preservesValueOnDeletion)
        #expect(stored.versionHashModifier == "m" && stored.renamingIdentifier == "picture")
        #expect(compiled.attribute(named: "mood")?.attribute.isTransient == true)
        #expect(compiled.attribute(named: "place")?.attribute.defaultValue == [.null, .real(2.5)])
        #expect(compiled.renamingIdentifier == "Memo" && compiled.versionHashModifier == "e")
    }

    @Test("Default values of every type are compiled; unsuitable ones are refused by name")
    func defaultValues() throws {
        let uuid = UUID()
        let cases: [(NSAttributeDescription.AttributeType, Any, Value)] = [
            (.integer16, 4, .integer(4)), (.integer32, Int32(-4), .integer(-4)), (.integer64, UInt8(4), .integer(4)),
            (.integer64, NSNumber(value: 12), .integer(12)), (.integer64, NSNumber(value: Int64.max), .integer(.max)),
            (.integer64, NSNumber(value: Int64.min), .integer(.min)), (.boolean, true, .integer(1)),
            (.boolean, 0, .integer(0)),
            (.double, 1.5, .real(1.5)), (.double, 2, .real(2)), (.float, Float(0.5), .real(0.5)),
            (.decimal, Decimal(3), .decimal(3)), (.string, "a", .text("a")),
            (.binaryData, Data([1]), .bytes(Data([1]))),
            (.date, Date(timeIntervalSinceReferenceDate: 9), .real(9)), (.uuid, uuid, .uuid(uuid)),
        ]
        for (type, value, stored) in cases {
            let attribute = ModelZoo.attribute("a", type)
            attribute.defaultValue = value
            let model = try ModelZoo.model([ModelZoo.entity("Note", [attribute])]).compiled()
            #expect(model.entity(named: "Note")?.attribute(named: "a")?.attribute.defaultValue == [stored])
        }
        let wrong = ModelZoo.attribute("a", .integer16)
        for value in [70_000, "4", Date()] as [Any] {
            wrong.defaultValue = value
            #expect(error(wrong) == .unsuitableDefault(entity: "Note", attribute: "a"))
        }
    }

    @Test("Invalid descriptions are refused, naming entity and property")
    func refusals() {
        #expect(error(ModelZoo.model([NSEntityDescription()])) == .entityWithoutName)
        #expect(error(NSAttributeDescription()) == .propertyWithoutName(entity: "Note"))
        #expect(error(ModelZoo.attribute("a b", .string)) == .unusableName(entity: "Note", property: "a b"))
        #expect(error(ModelZoo.model([ModelZoo.entity("1st")])) == .unusableName(entity: "1st", property: nil))
        #expect(
            error(ModelZoo.attribute("a", .undefined))
                == .unstorableType(entity: "Note", attribute: "a", type: .undefinedAttributeType))
        #expect(
            error(ModelZoo.attribute("a", .objectID))
                == .unstorableType(entity: "Note", attribute: "a", type: .objectIDAttributeType))
        #expect(error(ModelZoo.attribute("a", .composite)) == .compositeWithoutElements(entity: "Note", attribute: "a"))
        let computed = NSExpressionDescription()
        computed.name = "sum"
        #expect(error(computed) == .unstorableProperty(entity: "Note", property: "sum"))
        let derived = NSDerivedAttributeDescription()
        (derived.name, derived.type) = ("d", .integer64)
        #expect(error(derived) == .derivationMissing(entity: "Note", attribute: "d"))
        #expect(
            error(ModelZoo.attribute("a", .string), ModelZoo.attribute("a", .string))
                == .inconsistent(.duplicateProperty(entity: "Note", property: "a")))
        #expect(
            error(ModelZoo.model([ModelZoo.entity("Note"), ModelZoo.entity("Note")]))
                == .inconsistent(.duplicateEntity("Note")))
    }

    @Test("Relationships without matching ends are refused")
    func relationships() {
        let lone = NSRelationshipDescription()
        lone.name = "r"
        #expect(error(lone) == .destinationMissing(entity: "Note", relationship: "r"))
        let elsewhere = ModelZoo.entity("Elsewhere")
        lone.destinationEntity = elsewhere
        #expect(
            error(lone)
                == .inconsistent(.unknownDestination(entity: "Note", relationship: "r", destination: "Elsewhere")))
        let (a, b) = (ModelZoo.entity("A"), ModelZoo.entity("B"))
        let end = ModelZoo.relate(a, "bs", maximum: 0, b, inverse: "a", maximum: 1)
        let back = end.inverseRelationship
        back?.inverseRelationship = nil
        #expect(
            error(ModelZoo.model([a, b]))
                == .inconsistent(.inverseMismatch(entity: "A", relationship: "bs", inverse: "a")))
        b.properties = []
        #expect(
            error(ModelZoo.model([a, b]))
                == .inconsistent(.unknownInverse(entity: "A", relationship: "bs", inverse: "a")))
        end.inverseRelationship = nil
        end.minCount = 3
        end.maxCount = 2
        #expect(
            error(ModelZoo.model([a, b])) == .impossibleCounts(entity: "A", relationship: "bs", minimum: 3, maximum: 2))
    }

    @Test("The largest integer as a maximum count means no maximum")
    func largestMaximum() throws {
        let (a, b) = (ModelZoo.entity("A"), ModelZoo.entity("B"))
        let end = ModelZoo.relate(a, "bs", maximum: .max, b, inverse: "a", maximum: 1)
        end.minCount = 1
        #expect(error(ModelZoo.model([a, b])) == nil)
    }

    @Test("Cyclic hierarchies, and those that reach out of the model, are refused")
    func hierarchies() {
        let (a, b) = (ModelZoo.entity("A"), ModelZoo.entity("B"))
        a.subentities = [b]
        #expect(error(ModelZoo.model([a])) == .subentityMissing(entity: "A", subentity: "B"))
        b.subentities = [a]
        #expect(error(ModelZoo.model([a, b])) == .inheritanceCycle(entity: "A"))
        a.subentities = []
        b.subentities = []
    }

    @Test("A composite that contains itself is refused")
    func circularComposite() {
        let composite = NSCompositeAttributeDescription()
        composite.name = "c"
        composite.elements = [composite]
        defer { composite.elements = [] }
        #expect(error(composite) == .tooDeep(entity: "Note"))
    }

    @Test(
        "Constraints on properties without a column are refused, also when a store is added; to-one relationships are allowed"
    )
    func unsuitableConstraints() throws {
        func model(_ constraint: [Any]) -> NSManagedObjectModel {
            let model = Zoo.model()
            model.entitiesByName["Animal"]?.uniquenessConstraints = [constraint]
            return model
        }
        for name in ["note", "tags"] {
            let refused = model(["name", name])
            #expect(
                error(refused)
                    == .inconsistent(.unsuitableConstraintProperty(entity: "Animal", property: name)))
            let opening = #expect(throws: CocoaError.self) { try TestStack(model: refused) }
            #expect(opening?.localizedDescription.contains("'\(name)'") == true)
        }
        #expect(error(model(["name", "category"])) == nil)
    }

    @Test("Unknown names in constraints and indexes are refused; spatial indexes are omitted")
    func indexes() throws {
        let entity = ModelZoo.entity("Note", [ModelZoo.attribute("a", .double)])
        entity.uniquenessConstraints = [["b"]]
        #expect(
            error(ModelZoo.model([entity])) == .inconsistent(.unknownConstraintProperty(entity: "Note", property: "b")))
        entity.uniquenessConstraints = [[7]]
        #expect(error(ModelZoo.model([entity])) == .constraintElementWithoutName(entity: "Note"))
        entity.uniquenessConstraints = []
        let attribute = try #require(entity.attributesByName["a"])
        entity.indexes = [
            NSFetchIndexDescription(
                name: "place", elements: [NSFetchIndexElementDescription(property: attribute, collationType: .rTree)])
        ]
        #expect(try ModelZoo.model([entity]).compiled().entity(named: "Note")?.indexes == [])
        let element = NSFetchIndexElementDescription(property: attribute, collationType: .binary)
        element.isAscending = false
        let partial = NSFetchIndexDescription(name: "some", elements: [element])
        partial.partialIndexPredicate = NSPredicate(format: "%K > 1", attribute.name)
        entity.indexes = [partial]
        #expect(
            try ModelZoo.model([entity]).compiled().entity(named: "Note")?.indexes == [
                FetchIndex(
                    name: "some", elements: [.init(attribute.name, ascending: false)],
                    condition: "\(attribute.name) > 1")
            ])
    }
}
