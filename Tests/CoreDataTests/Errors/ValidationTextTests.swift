import CoreData
import Testing

/// The text that an alert shows when validation fails.
@Suite("Texts of validation errors")
struct ValidationTextTests {
    private func failure(_ stack: TestStack) -> CocoaError? {
        do {
            try stack.context.save()
            return nil
        } catch {
            return error as? CocoaError
        }
    }

    @Test("CD71 A missing value is described by its property, and in the debug description by entity and property")
    func missing() throws {
        let stack = try TestStack()
        stack.insert("Animal")
        let error = try #require(failure(stack))
        #expect(error.errorCode == 1570)
        #expect(error.localizedDescription == "name is a required value.")
        let debug = try #require(error.userInfo[NSDebugDescriptionErrorKey] as? String)
        #expect(debug.contains("Animal.name"))
    }

    @Test("CD71 Names and texts are looked up in the model's localization dictionary")
    func localized() throws {
        let model = Zoo.model()
        model.localizationDictionary = [
            "Property/name/Entity/Animal": "Rufname", "Property/name": "Name",
            "ErrorString/% is a required value.": "% fehlt.",
        ]
        let stack = try TestStack(model: model)
        let animal = stack.insert("Animal")
        #expect(failure(stack)?.localizedDescription == "Rufname fehlt.")
        stack.context.delete(animal)
        stack.insert("Category")
        #expect(failure(stack)?.localizedDescription == "Name fehlt.")
    }

    @Test("A validation warning that is a text is shown, or its entry in the localization dictionary")
    func ownText() throws {
        let model = Zoo.model()
        let rank = try #require(model.entitiesByName["Category"]?.attributesByName["rank"])
        rank.setValidationPredicates([NSPredicate(format: "SELF < 10")], withValidationWarnings: ["Rank is too high"])
        model.localizationDictionary = ["ErrorString/Rank is too high": "Rang zu hoch"]
        let stack = try TestStack(model: model)
        stack.insert("Category", ["name": "a", "rank": 11])
        #expect(failure(stack)?.localizedDescription == "Rang zu hoch")
    }

    @Test("Several errors are combined in one; each keeps its text in NSDetailedErrors")
    func several() throws {
        let stack = try TestStack()
        stack.insert("Animal")
        stack.insert("Team")
        let error = try #require(failure(stack))
        #expect(error.errorCode == 1560)
        let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [CocoaError])
        #expect(Set(details.map(\.localizedDescription)).contains("name is a required value."))
    }
}
