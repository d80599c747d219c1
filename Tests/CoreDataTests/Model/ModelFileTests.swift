import Foundation
import ModelText
import ObjectGraph
import TestSupport
import Testing

@testable import CoreData

@Suite("Models in Xcode's files")
struct ModelFileTests {
    private static let text = """
        <model userDefinedModelVersionIdentifier="3">
            <entity name="Animal" representedClassName=".Animal" isAbstract="YES">
                <attribute name="born" attributeType="Date" defaultDateTimeInterval="60" minDateTimeInterval="0"/>
                <attribute name="legs" attributeType="Integer 16" defaultValueString="4" maxValueString="100"/>
                <attribute name="loud" optional="YES" attributeType="String" derived="YES" \
        derivationExpression="uppercase:(name)"/>
                <attribute name="mood" optional="YES" transient="YES"/>
                <attribute name="name" attributeType="String" minValueString="2" regularExpressionString="[a-z]+"/>
                <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
                <relationship name="home" optional="YES" maxCount="1" deletionRule="Cascade" \
        destinationEntity="Enclosure" inverseName="inhabitants" inverseEntity="Enclosure"/>
                <fetchIndex name="byName"><fetchIndexElement property="name" order="descending"/></fetchIndex>
                <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
                <userInfo><entry key="colour" value="grey"/></userInfo>
            </entity>
            <entity name="Bird" parentEntity="Animal"/>
            <entity name="Enclosure" elementID="Cage">
                <relationship name="inhabitants" toMany="YES" minCount="1" ordered="YES" destinationEntity="Animal" \
        inverseName="home" inverseEntity="Animal"/>
                <fetchedProperty name="namesakes"><fetchRequest name="r" entity="Animal"/></fetchedProperty>
            </entity>
            <composite name="Place">
                <attribute name="x" optional="YES" attributeType="Double"/>
                <attribute name="y" optional="YES" attributeType="Double"/>
            </composite>
            <configuration name="Outdoors"><memberEntity name="Enclosure"/></configuration>
        </model>
        """

    private func withModel(_ text: String, _ body: (URL) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let version = folder.appendingPathComponent("Zoo.xcdatamodeld/Zoo.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: version.appendingPathComponent("contents"))
        try body(folder.appendingPathComponent("Zoo.xcdatamodeld"))
    }

    @Test("A fetch request template is read from a model file, and the file can be written again")
    func requests() throws {
        let request =
            #"<fetchRequest name="few" entity="Animal" predicateString="name == &quot;x&quot;" fetchBatchSize="20" "#
            + #"fetchLimit="7" includesSubentities="NO" resultType="2" returnsDistinctResults="YES"/>"#
        let text = Self.text.replacingOccurrences(of: "<composite ", with: request + "\n    <composite ")
        try withModel(text) { url in
            let template = NSManagedObjectModel(contentsOf: url)?.fetchRequestTemplate(forName: "few")
            let few = try #require(template)
            #expect(few.fetchLimit == 7 && few.fetchBatchSize == 20)
            #expect(!few.includesSubentities && few.includesPropertyValues && few.returnsDistinctResults)
            #expect(few.resultType == .dictionaryResultType)
        }
        let document = try DocumentModel(xml: Data(text.utf8))
        #expect(try DocumentModel(xml: Data(document.xml.utf8)) == document)
        #expect(document.xml.contains(#"fetchLimit="7""#) && document.xml.contains(#"includesSubentities="NO""#))
    }

    @Test("A validation rule that cannot be read is omitted, and objects can be saved")
    func unreadableRule() {
        let property = NSAttributeDescription()
        property.setRules(["length > 2", "SELF RESEMBLES 'image'"], [1, 2])
        #expect(property.validationPredicates.map(\.formatText) == ["length > 2"])
        #expect(property.validationWarnings as? [Int] == [1])
    }

    @Test("A source model is read as the model compiler would compile it")
    func reading() throws {
        try withModel(Self.text) { url in
            let model = try #require(NSManagedObjectModel(contentsOf: url))
            #expect(model.versionIdentifiers == ["3"])
            #expect(model.configurations == ["Outdoors"])
            let animal = try #require(model.entitiesByName["Animal"])
            #expect(animal.isAbstract && animal.managedObjectClassName == "Animal")
            #expect(animal.userInfo?["colour"] as? String == "grey")
            #expect(animal.subentitiesByName["Bird"]?.superentity === animal)
            #expect(animal.uniquenessConstraints as? [[String]] == [["name"]])
            #expect(animal.indexes.first?.elements.first?.isAscending == false)
            #expect(animal.attributesByName["legs"]?.defaultValue as? Int16 == 4)
            #expect(animal.attributesByName["born"]?.defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 60))
            #expect(animal.attributesByName["mood"]?.attributeType == .undefinedAttributeType)
            let place = try #require(animal.attributesByName["place"] as? NSCompositeAttributeDescription)
            #expect(place.elements.map(\.name) == ["x", "y"])
            #expect(animal.attributesByName["loud"] is NSDerivedAttributeDescription)
            let enclosure = try #require(model.entitiesByName["Enclosure"])
            #expect(enclosure.renamingIdentifier == "Cage")
            #expect(enclosure.propertiesByName["namesakes"] is NSFetchedPropertyDescription)
            let inhabitants = try #require(enclosure.relationshipsByName["inhabitants"])
            #expect(inhabitants.isOrdered && inhabitants.minCount == 1 && inhabitants.maxCount == 0)
            let home = try #require(animal.relationshipsByName["home"])
            #expect(home.deleteRule == .cascadeDeleteRule && !home.isToMany)
            #expect(home.inverseRelationship === inhabitants)
            let engine = try model.compiled()
            #expect(engine.entity(named: "Bird")?.attribute(named: "loud")?.attribute.derivation == "uppercase:(name)")
            #expect(try NSManagedObjectModel.checksumsForVersionedModel(at: url) == ["Zoo": model.versionChecksum])
        }
    }

    @Test("Limits become validation rules with the codes of their errors")
    func validation() throws {
        try withModel(Self.text) { url in
            let animal = try #require(NSManagedObjectModel(contentsOf: url)?.entitiesByName["Animal"])
            func codes(_ name: String) -> [Int]? { animal.attributesByName[name]?.validationWarnings as? [Int] }
            #expect(codes("name") == [1670, 1680])
            #expect(codes("legs") == [1610])
            #expect(codes("born") == [1640])
            func passed(_ name: String, _ value: Any) -> [Bool]? {
                animal.attributesByName[name]?.validationPredicates.map { $0.evaluate(with: value) }
            }
            #expect(passed("name", "ab") == [true, true])
            #expect(passed("name", "B") == [false, false])
            #expect(passed("legs", 100) == [true])
            #expect(passed("legs", 101) == [false])
            #expect(passed("born", Date(timeIntervalSinceReferenceDate: 1)) == [true])
            #expect(passed("born", Date(timeIntervalSinceReferenceDate: -1)) == [false])
        }
    }

    @Test("Files that are no models return nil")
    func refused() throws {
        for text in ["", "<plist/>", "<model><entity/></model>", "<model>"] {
            try withModel(text) { url in
                #expect(NSManagedObjectModel(contentsOf: url) == nil)
                #expect(throws: DocumentError.self) { try NSManagedObjectModel.checksumsForVersionedModel(at: url) }
            }
        }
        #expect(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/nowhere/Zoo.momd")) == nil)
        #expect(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/nowhere/Zoo.mom")) == nil)
    }

    @Test("Models among the resources of bundles are merged; a store finds its version there")
    func bundles() throws {
        try withModel(Self.text) { url in
            let bundle = try #require(Bundle(url: url.deletingLastPathComponent()))
            let merged = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
            let model = try #require(NSManagedObjectModel(contentsOf: url))
            #expect(merged.versionChecksum == model.versionChecksum)
            let metadata = ["NSStoreModelVersionHashes": model.entityVersionHashesByName as Any]
            let found = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
            #expect(found?.versionChecksum == model.versionChecksum)
            #expect(ModelFile.model(named: "Zoo", in: [bundle])?.versionChecksum == model.versionChecksum)
            #expect(ModelFile.model(named: "Park", in: [bundle]) == nil)
            let other = ["NSStoreModelVersionHashes": ["Animal": Data(count: 32)] as Any]
            #expect(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: other) == nil)
        }
    }

    @Test("Resources of targets are found beside the program")
    func targetBundles() throws {
        try withModel(Self.text) { url in
            let folder = url.deletingLastPathComponent()
            let resources = folder.appendingPathComponent("Package_Zoo.resources")
            try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: url, to: resources.appendingPathComponent("Zoo.xcdatamodeld"))
            let bundles = ModelFile.bundles(in: folder)
            let model = try #require(ModelFile.model(named: "Zoo", in: bundles))
            #expect(model.entitiesByName["Animal"]?.managedObjectClassName == "Zoo.Animal")
        }
    }

    @Test("Classes belong to the target whose resources contain the model")
    func classNames() {
        let names = ClassNames(modelAt: URL(fileURLWithPath: "/build/My_Package_Zoo-Kit.resources/Zoo.xcdatamodeld"))
        #expect(names.name(".Animal") == "Zoo_Kit.Animal")
        #expect(names.name("Animal") == "Animal")
        #expect(names.name("Other.Animal") == "Other.Animal")
        #expect(names.name(nil) == nil)
        #expect(ClassNames().name(".Animal") == "Animal")
    }

    @Test("An engine's model survives a round trip through descriptions and through a file")
    func roundTrips() throws {
        let engine = try ModelZoo.zoo().compiled()
        let descriptions = NSManagedObjectModel(engine)
        #expect(try descriptions.compiled().descriptions == engine.descriptions)
        let document = try DocumentModel(xml: Data(DocumentModel(engine).xml.utf8))
        #expect(try NSManagedObjectModel(document).compiled().descriptions == engine.descriptions)
    }
}
