import Foundation
import SwiftData
import Testing

@Suite("Identity")
struct ModelIdentityTests {
    @Test("An identifier of a class outside the schema gives a model without context, not a trap")
    func unknownClass() throws {
        let context = ModelContext(try makeZoo())
        let id = try PersistentIdentifier.identifier(for: "ABC", entityName: "Unicorn", primaryKey: 1)
        let model = context.model(for: id)
        #expect(model.modelContext == nil)
        #expect(!(model is Animal))
    }

    @Test("After an upsert, the former object and the new one stand for the same row")
    func upsertKeepsObjects() throws {
        let context = ModelContext(try makeZoo())
        let fish = AnimalCategory(name: "Fish")
        fish.animals = [Animal(name: "Eel")]
        context.insert(fish)
        try context.save()
        let again = AnimalCategory(name: "Fish")
        again.animals.append(Animal(name: "Carp"))
        context.insert(again)
        try context.save()
        #expect(fish == again)
        #expect(fish.modelContext === context)
        #expect(fish.animals.map(\.name) == ["Eel", "Carp"])
        again.name = "Fishes"
        #expect(fish.name == "Fishes")
    }
}
