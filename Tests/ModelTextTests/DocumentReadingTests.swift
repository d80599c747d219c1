import Foundation
import ModelText
import ObjectGraph
import Testing

@Suite("Reading model files")
struct DocumentReadingTests {
    private func zoo() throws -> DocumentModel {
        try DocumentModel(xml: Data(SampleDocuments.zoo.utf8))
    }

    @Test("Entities have the values of the file")
    func entities() throws {
        let model = try zoo()
        #expect(model.versionIdentifier == "2")
        #expect(model.entities.map(\.name) == ["Animal", "Bird", "Enclosure"])
        let animal = try #require(model.entity(named: "Animal"))
        #expect(animal.className == ".Animal")
        #expect(animal.isAbstract)
        #expect(animal.renamingIdentifier == "Creature")
        #expect(animal.versionHashModifier == "b")
        #expect(animal.codeGeneration == .classDefinition)
        #expect(animal.uniquenessConstraints == [["name", "chip"]])
        #expect(animal.userInfo == [DocumentUserInfo(key: "colour", value: "grey")])
        #expect(model.entity(named: "Bird")?.parentName == "Animal")
        #expect(model.entity(named: "Bird")?.codeGeneration == .categoryExtension)
        #expect(model.entity(named: "Enclosure")?.codeGeneration == .manual)
    }

    @Test("Attributes have the values of the file")
    func attributes() throws {
        let animal = try #require(try zoo().entity(named: "Animal"))
        func attribute(_ name: String) throws -> DocumentAttribute {
            try #require(animal.attributes.first { $0.name == name })
        }
        #expect(
            animal.attributes.map(\.type) == [
                .date, .uuid, .integer16, .string, nil, .string, .binary, .transformable, .decimal,
            ])
        #expect(try attribute("born").defaultDate == 86400)
        #expect(try attribute("born").minimumDate == -978_307_200)
        #expect(try attribute("born").usesScalarType == false)
        #expect(try attribute("chip").preservesValueOnDeletion)
        #expect(try !attribute("chip").isOptional)
        #expect(try attribute("legs").defaultText == "4")
        #expect(try attribute("legs").maximumText == "1000")
        #expect(try attribute("loud").derivation == "uppercase:(name)")
        #expect(try attribute("mood").isTransient)
        #expect(try attribute("name").defaultText == "a \"b\" <c> &")
        #expect(try attribute("name").regularExpression == "[a-z]+")
        #expect(try attribute("photo").allowsExternalStorage)
        #expect(try attribute("tags").className == "[String]")
        #expect(try attribute("tags").allowsCloudEncryption)
    }

    @Test("Relationships, indexes, requests and configurations have the values of the file")
    func others() throws {
        let model = try zoo()
        let enclosure = try #require(model.entity(named: "Enclosure"))
        let inhabitants = try #require(enclosure.relationships.first)
        #expect(inhabitants.isToMany && inhabitants.isOrdered && inhabitants.isOptional)
        #expect(inhabitants.deleteRule == .deny)
        #expect(inhabitants.minimumCount == 1 && inhabitants.maximumCount == 9)
        #expect(inhabitants.inverseName == "home")
        #expect(enclosure.attributes.last?.elements.map(\.name) == ["latitude", "longitude"])
        #expect(enclosure.fetchedProperties.first?.request?.predicate == "name == $FETCH_SOURCE.name")
        let index = try #require(model.entity(named: "Animal")?.indexes.first)
        #expect(index.elements.map(\.propertyName) == ["name", "legs"])
        #expect(index.elements.map(\.isAscending) == [true, false])
        #expect(index.partialPredicate == "legs > 2")
        #expect(model.configurations.map(\.entityNames) == [["Animal", "Bird"]])
        #expect(model.fetchRequests.map(\.predicate) == ["loud BEGINSWITH $LETTER"])
    }

    @Test("Unknown elements and attributes are kept")
    func unknown() throws {
        let text = """
            <attribute name="a" attributeType="String" future="1"/><novelty x="y"><inner/></novelty>
            """
        let model = try DocumentModel(xml: SampleDocuments.model(text))
        #expect(model.entities.first?.attributes.first?.others.attributes == ["future": "1"])
        #expect(model.entities.first?.others.children.map(\.name) == ["novelty"])
        #expect(try DocumentModel(xml: Data(model.xml.utf8)) == model)
    }

    @Test("Written files are read unchanged, and written again in the same form")
    func roundTrip() throws {
        let model = try zoo()
        #expect(try DocumentModel(xml: Data(model.xml.utf8)).others == model.others)
        #expect(model.xml == SampleDocuments.zoo)
    }

    @Test("Errors contain the element and its line")
    func errors() {
        func error(_ text: String) -> DocumentError? {
            do throws(DocumentError) {
                _ = try DocumentModel(xml: SampleDocuments.model(text))
                return nil
            } catch {
                return error
            }
        }
        #expect(
            error("<attribute attributeType=\"String\"/>")
                == .missingAttribute("name", element: "attribute", line: 3))
        #expect(
            error("\n<attribute name=\"a\" attributeType=\"Quaternion\"/>")
                == .unknownValue("Quaternion", attribute: "attributeType", element: "attribute", line: 4))
        #expect(
            error("<attribute name=\"a\" optional=\"maybe\"/>")
                == .unknownValue("maybe", attribute: "optional", element: "attribute", line: 3))
        #expect(
            error("<relationship name=\"r\" deletionRule=\"Explode\"/>")
                == .unknownValue("Explode", attribute: "deletionRule", element: "relationship", line: 3))
        #expect(
            error("<relationship name=\"r\" maxCount=\"many\"/>")
                == .unknownValue("many", attribute: "maxCount", element: "relationship", line: 3))
        #expect(error("<attribute name=\"a\">") == .markup(.malformed(line: 4)))
        let orphan = "<model>\n\n<entity name=\"A\" parentEntity=\"B\"/>\n</model>"
        #expect(throws: DocumentError.unknownValue("B", attribute: "parentEntity", element: "entity", line: 3)) {
            try DocumentModel(xml: Data(orphan.utf8))
        }
        #expect(throws: DocumentError.notAModel(element: "plist")) { try DocumentModel(xml: Data("<plist/>".utf8)) }
    }
}
