import Foundation
import SwiftData
import Testing

@Model
private final class Pet {
    let kind = 7
    var name: String
    var owner: Owner?
    var friends: [Pet] = []

    init(_ name: String) { self.name = name }
}

@Model
private final class Owner {
    var pets: [Pet] = []
    init() {}
}

@Suite("Constants of models that are inserted by being linked")
struct ConstantTests {
    private func found(_ context: ModelContext) throws -> Set<String> {
        Set(try context.fetch(FetchDescriptor<Pet>(predicate: #Predicate { $0.kind == 7 })).map(\.name))
    }

    @Test("Linked models can be fetched before the save, whether linked directly or through other new models")
    func linked() throws {
        let container = try ModelContainer(
            for: Owner.self, Pet.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let owner = Owner()
        context.insert(owner)
        owner.pets.append(Pet("member"))
        let (island, friend) = (Pet("island"), Pet("friend"))
        island.friends = [friend]
        let setting = Pet("setting")
        setting.owner = owner
        #expect(try found(context) == ["member", "setting"])
        owner.pets.append(island)
        #expect(try found(context) == ["member", "setting", "island", "friend"])
        try context.save()
        #expect(try found(ModelContext(container)) == ["member", "setting", "island", "friend"])
        // A deleted model that is inserted again is a new model.
        context.delete(island)
        try context.save()
        context.insert(island)
        #expect(try found(context) == ["member", "setting", "island", "friend"])
        try context.save()
        #expect(try found(ModelContext(container)) == ["member", "setting", "island", "friend"])
    }
}
