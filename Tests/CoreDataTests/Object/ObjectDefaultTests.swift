import CoreData
import Testing

/// Default values that are objects of the program's own types.
@Suite("Defaults of transformable attributes")
struct ObjectDefaultTests {
    private struct Label: Equatable {
        var text: String
    }

    private final class LabelTransformer: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? { (value as? Label).map { Data($0.text.utf8) } }
        override func reverseTransformedValue(_ value: Any?) -> Any? {
            (value as? Data).map { Label(text: String(decoding: $0, as: UTF8.self)) }
        }
    }

    private func stack(_ attribute: NSAttributeDescription) throws -> TestStack {
        let model = Zoo.model()
        try #require(model.entitiesByName["Tag"]).properties.append(attribute)
        return try TestStack(.file, model: model)
    }

    @Test("A new object has the default of a transformable attribute, and a mandatory one is saved with it")
    func transformable() throws {
        let attribute = Zoo.attribute(
            "extra", .transformableAttributeType, optional: false, default: Label(text: "default"))
        attribute.valueTransformerName = "LabelOfDefaults"
        // The model is in use before the transformer is registered.
        let stack = try stack(attribute)
        ValueTransformer.setValueTransformer(
            LabelTransformer(), forName: NSValueTransformerName("LabelOfDefaults"))
        let tag = stack.insert("Tag")
        #expect(tag.value(forKey: "extra") as? Label == Label(text: "default"))
        try stack.context.save()
        let twin = try #require(
            try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).first)
        #expect(twin.value(forKey: "extra") as? Label == Label(text: "default"))
    }

    @Test("A default value that can be archived needs no transformer")
    func archived() throws {
        let attribute = Zoo.attribute("extra", .transformableAttributeType, default: ["a", "b"])
        #expect(try stack(attribute).insert("Tag").value(forKey: "extra") as? [String] == ["a", "b"])
    }

    @Test("A new object has the default of a transient attribute of any type")
    func transient() throws {
        let attribute = Zoo.attribute(
            "extra", .undefinedAttributeType, default: Label(text: "default"), transient: true)
        #expect(try stack(attribute).insert("Tag").value(forKey: "extra") as? Label == Label(text: "default"))
    }
}
