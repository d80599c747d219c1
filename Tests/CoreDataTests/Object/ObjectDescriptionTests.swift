import CoreData
import Testing

@Suite("Descriptions of objects")
struct ObjectDescriptionTests {
    @Test("An object is described by entity, identifier and values, without reading anything")
    func values() throws {
        let stack = try TestStack()
        let category = stack.insert("Category", ["name": "Big cats"])
        let animal = stack.insert("Animal", ["name": "Lion", "age": 4, "category": category])
        try stack.context.save()
        let text = animal.description
        #expect(text.contains("(entity: Animal; id: \(animal.objectID.uriRepresentation().absoluteString); data: {"))
        #expect(text.contains("    name = Lion;\n") && text.contains("    age = 4;\n"))
        #expect(text.contains("    weight = nil;\n"))
        #expect(text.contains("category = \"\(category.objectID.uriRepresentation().absoluteString)\";"))
        #expect(category.description.contains("name = \"Big cats\";"))
        #expect("\(animal)" == text)

        stack.context.refresh(animal, mergeChanges: false)
        #expect(animal.description.contains("data: <fault>") && animal.isFault)
        let twin = try #require(
            try stack.newContext().fetch(NSFetchRequest<NSManagedObject>(entityName: "Category")).first)
        _ = twin.value(forKey: "name")
        #expect(twin.description.contains("animals = \"<relationship fault: animals>\";"))
    }

    @Test("Errors about objects never show values")
    func errors() throws {
        let stack = try TestStack()
        let animal = stack.insert("Animal", ["name": "Secret"])
        stack.context.reset()
        do {
            _ = try stack.context.count(for: stack.request("Animal", NSPredicate(format: "SELF == %@", animal)))
        } catch {
            #expect(!"\(error)".contains("Secret"))
        }
    }
}
