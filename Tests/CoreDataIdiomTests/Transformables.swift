import CoreData
import Foundation
import Testing

/// A colour as the bytes of its hexadecimal text.
private final class ColourTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Colour).map { Data(String($0.code, radix: 16).utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return Int(String(decoding: data, as: UTF8.self), radix: 16).map(Colour.init)
    }

    static func register() {
        ValueTransformer.setValueTransformer(ColourTransformer(), forName: NSValueTransformerName("ColourTransformer"))
    }
}

private final class Colour: NSObject {
    let code: Int
    init(_ code: Int) { self.code = code }
}

@MainActor @Suite("Transformable and other attributes")
struct Transformables {
    private func kitchen(_ attribute: NSAttributeDescription, transformer: String? = nil) throws -> Kitchen {
        attribute.valueTransformerName = transformer
        let model = NSManagedObjectModel([NSEntityDescription("Note", NSManagedObject.self, [attribute])])
        return try Kitchen(.file, model: model)
    }

    /// Saves a value and returns the one that another container reads.
    private func roundTrip(_ value: Any?, _ attribute: NSAttributeDescription, transformer: String? = nil) throws
        -> Any?
    {
        let kitchen = try kitchen(attribute, transformer: transformer)
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: kitchen.context)
        note.setValue(value, forKey: attribute.name)
        try kitchen.context.save()
        kitchen.context.refresh(note, mergeChanges: false)
        return note.value(forKey: attribute.name)
    }

    // Source: Apple, ValueTransformer; widely copied recipe: colours in Core Data
    @Test("Stores a value by a custom transformer")
    func ownTransformer() throws {
        ColourTransformer.register()
        let attribute = NSAttributeDescription("colour", .transformableAttributeType)
        let read = try roundTrip(Colour(0xFF8800), attribute, transformer: "ColourTransformer")
        #expect((read as? Colour)?.code == 0xFF8800)
    }

    // Source: Apple, NSSecureUnarchiveFromDataTransformer
    @Test("Stores an array of texts by the secure transformer")
    func secure() throws {
        let attribute = NSAttributeDescription("words", .transformableAttributeType)
        let name = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        #expect(try roundTrip(["salt", "oil"], attribute, transformer: name) as? [String] == ["salt", "oil"])
    }

    // Source: widely copied recipe: codable values as data
    @Test("Stores a Codable value as encoded data")
    func codable() throws {
        struct Nutrition: Codable, Equatable { var fat = 1, salt = 2 }
        let data = try JSONEncoder().encode(Nutrition())
        let read = try roundTrip(data, NSAttributeDescription("nutrition", .binaryDataAttributeType)) as? Data
        #expect(try JSONDecoder().decode(Nutrition.self, from: try #require(read)) == Nutrition())
    }

    // Source: Apple, NSAttributeType
    @Test("Keeps values of every simple type")
    func simpleTypes() throws {
        let id = UUID()
        let url = try #require(URL(string: "https://example.org/a"))
        let price = NSDecimalNumber(string: "12345678.90")
        #expect(try roundTrip(id, NSAttributeDescription("value", .UUIDAttributeType)) as? UUID == id)
        #expect(try roundTrip(url, NSAttributeDescription("value", .URIAttributeType)) as? URL == url)
        #expect(
            try roundTrip(price, NSAttributeDescription("value", .decimalAttributeType)) as? NSDecimalNumber == price)
        #expect(try roundTrip(Date.day(5), NSAttributeDescription("value", .dateAttributeType)) as? Date == .day(5))
        #expect(try roundTrip(true, NSAttributeDescription("value", .booleanAttributeType)) as? Bool == true)
        #expect(try roundTrip(Int64.max, NSAttributeDescription("value", .integer64AttributeType)) as? Int64 == .max)
        #expect(try roundTrip(1.5, NSAttributeDescription("value", .floatAttributeType)) as? Float == 1.5)
    }

    // Source: Apple, NSCompositeAttributeDescription
    @Test("Stores a composite of several values")
    func composite() throws {
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [
            NSAttributeDescription("latitude", .doubleAttributeType),
            NSAttributeDescription("longitude", .doubleAttributeType),
        ]
        let read = try roundTrip(["latitude": 47.5, "longitude": 8.7], place) as? [String: Any]
        #expect(read?["latitude"] as? Double == 47.5 && read?["longitude"] as? Double == 8.7)
    }

    // Source: Apple, NSDerivedAttributeDescription
    @Test("CD50 Shows a derived attribute once its object is saved")
    func derived() throws {
        let model = NSManagedObjectModel.kitchen()
        let search = NSDerivedAttributeDescription()
        search.name = "searchName"
        search.attributeType = .stringAttributeType
        search.isOptional = true
        search.derivationExpression = NSExpression(format: "canonical:(name)")
        model.entitiesByName["Recipe"]?.properties.append(search)
        let kitchen = try Kitchen(.file, model: model)
        try kitchen.fill()
        #expect(try kitchen.names(NSPredicate(format: "searchName == 'eclair'")) == ["Éclair"])
    }

    // Source: Apple, NSPropertyDescription, 'isTransient'
    @Test("Keeps a transient value in memory only")
    func transient() throws {
        let attribute = NSAttributeDescription("shown", .stringAttributeType)
        attribute.isTransient = true
        let kitchen = try kitchen(attribute)
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: kitchen.context)
        try kitchen.context.save()
        note.setValue("now", forKey: "shown")
        #expect(note.value(forKey: "shown") as? String == "now")
        #expect(!note.hasPersistentChangedValues)
        kitchen.context.refresh(note, mergeChanges: false)
        #expect(note.value(forKey: "shown") == nil)
    }

    // Source: Apple, NSAttributeDescription, 'valueTransformerName'
    @Test("CD31 Refuses to save by a transformer that is not registered")
    func unregistered() throws {
        let attribute = NSAttributeDescription("words", .transformableAttributeType)
        #expect(throws: (any Error).self) { try roundTrip(["salt"], attribute, transformer: "NoSuchTransformer") }
    }
}
