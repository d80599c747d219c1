import Foundation
import TestSupport
import Testing

@testable import SwiftData

/// Random pets and owners in a context of their own. The same seed gives the same animals in every state.
final class PetWorld {
    /// How many of the animals are stored.
    enum State: String, CaseIterable {
        /// All of them, read by a context that did not write them.
        case saved
        /// None.
        case inserted
        /// The animals with other values; the right ones are unsaved edits.
        case edited
    }

    let state: State
    let context: ModelContext
    private(set) var pets: [Pet] = []
    private(set) var owners: [Owner] = []

    static let names = ["", "a", "A", "ab", "Bo", "bo", "Zoë", "zoe", "É", "x1", "x10", "x2", "Rex", "rexy", "日本"]
    static let cities = ["Bonn", "Ulm", ""]
    static let ids = (0..<4).compactMap { UUID(uuidString: "0000000\($0)-0000-4000-8000-000000000000") }
    static let dates = [0, 1, 1.5, -7, 700_000_000].map(Date.init(timeIntervalSinceReferenceDate:))

    init(_ state: State, seed: UInt64) throws {
        self.state = state
        let container = try ModelContainer(
            for: Owner.self, Pet.self, Dog.self, Cat.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let writer = ModelContext(container)
        context = state == .saved ? ModelContext(container) : writer
        let owners = (0..<6).map(Owner.init(number:))
        let pets = (0..<30).map { number in
            switch number % 3 {
            case 0: Pet(number: number)
            case 1: Dog(number: number)
            default: Cat(number: number)
            }
        }
        for owner in owners { writer.insert(owner) }
        for pet in pets { writer.insert(pet) }
        if state == .edited {
            Self.fill(pets, owners, seed: seed &+ 1)
            try writer.save()
        }
        Self.fill(pets, owners, seed: seed)
        if state == .saved { try writer.save() }
        self.pets = try context.fetch(FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.number)]))
        self.owners = try context.fetch(FetchDescriptor<Owner>(sortBy: [SortDescriptor(\.number)]))
    }

    private static func fill(_ pets: [Pet], _ owners: [Owner], seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func maybe<T>(_ value: T) -> T? { random.chance(55) ? value : nil }
        for owner in owners {
            owner.name = random.pick(names) ?? ""
            owner.nick = maybe(random.pick(names) ?? "")
            owner.level = random.roll(5) - 1
            owner.boss = maybe(random.pick(owners) ?? owner)
        }
        for pet in pets {
            pet.name = random.pick(names) ?? ""
            pet.nick = maybe(random.pick(names) ?? "")
            pet.age = random.roll(12) - 3
            pet.legs = Int16(random.roll(5))
            pet.weight = maybe(Double(random.roll(20)) / 4)
            pet.height = Double(random.roll(8)) / 2
            pet.isTame = random.chance(50)
            pet.isLoud = maybe(random.chance(50))
            pet.born = random.pick(dates) ?? dates[0]
            pet.died = maybe(random.pick(dates) ?? dates[0])
            pet.tag = random.pick(ids) ?? ids[0]
            pet.chip = maybe(random.pick(ids) ?? ids[0])
            pet.page = maybe(URL(string: "https://example.com/\(random.roll(3))")).flatMap(\.self)
            pet.coat = random.pick(Coat.allCases) ?? .smooth
            pet.winterCoat = maybe(random.pick(Coat.allCases) ?? .smooth)
            pet.home = Address(city: random.pick(cities) ?? "", floor: random.roll(3))
            pet.den = maybe(Address(city: random.pick(cities) ?? "", floor: random.roll(3)))
            pet.score = maybe(random.roll(4))
            pet.owner = maybe(random.pick(owners) ?? owners[0])
            pet.formerOwners = random.some(owners, atMost: 3)
            (pet as? Dog)?.tricks = random.roll(4)
            (pet as? Cat)?.lives = maybe(random.roll(9))
        }
    }
}

/// The same animals in every state.
struct PetWorlds {
    let seed: UInt64
    let worlds: [PetWorld]

    init(seed: UInt64) throws {
        self.seed = seed
        worlds = try PetWorld.State.allCases.map { try PetWorld($0, seed: seed) }
    }

    /// In every state, the fetch finds the models for which `evaluate` is true; and every state finds the same. The predicate must
    /// have an SQL translation.
    func check<M: PersistentModel>(
        _ predicate: (PetWorld) -> Predicate<M>, _ location: SourceLocation = #_sourceLocation
    ) throws {
        var answers: [[Int]] = []
        for world in worlds {
            let predicate = predicate(world)
            let text = Comment(rawValue: "seed \(seed), \(world.state.rawValue)")
            _ = try PredicateTranslator.translate(predicate, model: world.context.container.store.model)
            let descriptor = FetchDescriptor<M>(predicate: predicate)
            let fetched = try world.context.fetch(descriptor)
            let all = try world.context.fetch(FetchDescriptor<M>())
            let expected = try all.filter { try predicate.evaluate($0) }
            let found = numbers(fetched)
            #expect(found == numbers(expected), text, sourceLocation: location)
            #expect(try world.context.fetchCount(descriptor) == expected.count, text, sourceLocation: location)
            answers.append(found)
        }
        #expect(Set(answers).count == 1, "seed \(seed): \(answers)", sourceLocation: location)
    }

    func check<M: PersistentModel>(
        _ predicate: Predicate<M>, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try check({ _ in predicate }, location)
    }

    private func numbers(_ models: [any PersistentModel]) -> [Int] {
        models.map { ($0 as? Pet)?.number ?? ($0 as? Owner)?.number ?? -1 }.sorted()
    }
}
