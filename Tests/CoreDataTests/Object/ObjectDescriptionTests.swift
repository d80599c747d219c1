import CoreData
import Testing

@Suite("Descriptions of objects")
struct ObjectDescriptionTests {
    @Test("An object's description has entity, identifier and values, and fires no fault")
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

    @Test("Texts of validation errors show no values of the object")
    func errors() throws {
        let model = Zoo.model()
        let rank = try #require(model.entitiesByName["Category"]?.attributesByName["rank"])
        rank.setValidationPredicates([NSPredicate(format: "SELF < 10")], withValidationWarnings: ["Rank is too high"])
        let stack = try TestStack(model: model)
        stack.insert("Category", ["name": "Secret", "rank": 11])
        let error = try #require(throws: CocoaError.self) { try stack.context.save() }
        let debug = try #require(error.userInfo[NSDebugDescriptionErrorKey] as? String)
        #expect(!debug.contains("Secret") && !error.localizedDescription.contains("Secret"))
    }
}
