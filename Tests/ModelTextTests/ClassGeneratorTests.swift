import Foundation
import ObjectGraph
import Testing

@testable import ModelText

@Suite("Swift classes from model files")
struct ClassGeneratorTests {
    private func zoo() throws -> DocumentModel {
        try DocumentModel(xml: Data(SampleDocuments.zoo.utf8))
    }

    private func text(_ name: String) throws -> String {
        try #require(ClassGenerator(try zoo()).files(.everything).first { $0.name == name }).text
    }

    @Test("Each entity gets the files of its code generation setting")
    func files() throws {
        let generator = ClassGenerator(try zoo())
        #expect(
            generator.files().map(\.name) == [
                "Animal+CoreDataClass.swift", "Animal+CoreDataProperties.swift", "Bird+CoreDataProperties.swift",
            ])
        #expect(generator.files(.everything).count == 6)
    }

    @Test("Classes inherit like entities")
    func classes() throws {
        #expect(
            try text("Bird+CoreDataClass.swift") == """
                // Made from the model; changes made here are lost.

                import CoreData
                import Foundation

                #if canImport(ObjectiveC)
                @objc(Bird)
                #endif
                public class Bird: Animal {
                }

                """)
        #expect(try text("Animal+CoreDataClass.swift").contains("public class Animal: NSManagedObject {"))
    }

    @Test("Properties have Xcode's types, and computed accessors without Objective-C")
    func properties() throws {
        #expect(
            try text("Bird+CoreDataProperties.swift") == """
                // Made from the model; changes made here are lost.

                import CoreData
                import Foundation

                nonisolated extension Bird {
                    @nonobjc public class func fetchRequest() -> NSFetchRequest<Bird> {
                        NSFetchRequest<Bird>(entityName: "Bird")
                    }

                    #if canImport(ObjectiveC)
                    @NSManaged public var wingspan: Double
                    #else
                    public var wingspan: Double {
                        get { managedValue(forKey: "wingspan") }
                        set { setManagedValue(newValue, forKey: "wingspan") }
                    }
                    #endif
                }


                """)
        let animal = try text("Animal+CoreDataProperties.swift")
        for line in [
            "@NSManaged public var born: Date?", "@NSManaged public var chip: UUID?",
            "@NSManaged public var legs: Int16",
            "@NSManaged public var loud: String?", "@NSManaged public var mood: NSObject?",
            "@NSManaged public var name: String", "@NSManaged public var photo: Data?",
            "@NSManaged public var tags: [String]?", "@NSManaged public var weight: NSDecimalNumber?",
            "@NSManaged public var home: Enclosure?", "nonisolated extension Animal: Identifiable {",
            "public var loud: String? { managedValue(forKey: \"loud\") }",
        ] {
            #expect(animal.contains(line), "\(line)")
        }
    }

    @Test("To-many relationships get accessors, ordered ones also by index")
    func accessors() throws {
        let text = try text("Enclosure+CoreDataProperties.swift")
        for line in [
            "@NSManaged public var inhabitants: NSOrderedSet?", "@NSManaged public var open: Bool",
            "@NSManaged public var place: [String: Any]?", "@NSManaged public var namesakes: [Animal]",
            "@objc(insertObject:inInhabitantsAtIndex:)",
            "public func insertIntoInhabitants(_ value: Animal, at idx: Int)",
            "public func removeFromInhabitants(at idx: Int)",
            "public func replaceInhabitants(at indexes: NSIndexSet, with values: [Animal])",
            "public func addToInhabitants(_ value: Animal)", "public func addToInhabitants(_ values: NSOrderedSet)",
            "mutableOrderedSetValue(forKey: \"inhabitants\").add(value)",
        ] {
            #expect(text.contains(line), "\(line)")
        }
    }

    @Test("Optional numbers without scalars, and mandatory values with a default")
    func types() throws {
        var number = DocumentAttribute("n", .integer64)
        number.usesScalarType = false
        #expect(PropertyType(number) == .optional("NSNumber"))
        number.usesScalarType = true
        number.isOptional = true
        #expect(PropertyType(number).text == "Int64")
        var date = DocumentAttribute("d", .date)
        #expect(PropertyType(date).text == "Date?")
        date.defaultDate = 0
        #expect(PropertyType(date).text == "Date")
        date.usesScalarType = true
        #expect(PropertyType(date).text == "TimeInterval")
    }

    @Test("Names that are no identifiers are not used in sources; keywords are quoted")
    func hostileNames() throws {
        var model = DocumentModel()
        var entity = DocumentEntity("Evil")
        entity.className = "Evil"
        entity.attributes = [
            DocumentAttribute("x: Int { 0 } } import Glibc //", .string), DocumentAttribute("class", .string),
        ]
        var transformable = DocumentAttribute("t", .transformable)
        transformable.className = "Int { exit(1) }"
        entity.attributes.append(transformable)
        var other = DocumentEntity("Worse")
        other.className = "Worse; import Glibc"
        model.entities = [entity, other]
        let files = ClassGenerator(model).files(.everything)
        #expect(files.map(\.name) == ["Evil+CoreDataClass.swift", "Evil+CoreDataProperties.swift"])
        let text = try #require(files.last?.text)
        #expect(!text.contains("Glibc") && !text.contains("exit"))
        #expect(text.contains("public var `class`: String?"))
        #expect(text.contains("public var t: NSObject?"))
    }

    @Test("A class conforms once in its hierarchy, whatever is between it and its superclass")
    func identifiableOnce() {
        var top = DocumentEntity("Top")
        top.className = "Top"
        var between = DocumentEntity("Between")
        between.parentName = "Top"
        var low = DocumentEntity("Low")
        low.className = "Low"
        low.parentName = "Between"
        var model = DocumentModel()
        model.entities = [top, between, low]
        let texts = ClassGenerator(model).files(.everything).map(\.text)
        #expect(texts.filter { $0.contains(": Identifiable") }.count == 1)
        #expect(texts.contains { $0.contains("public class Low: Top {") })
        #expect(texts.contains { $0.contains("nonisolated extension Top: Identifiable {") })
    }
}
