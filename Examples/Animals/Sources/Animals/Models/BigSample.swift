import Foundation
import SwiftData

/// Generates any number of animals, the same ones every time.
enum BigSample {
    /// The number of animals in one save.
    static let batchSize = 1_000

    private static let kinds: [(category: String, names: [String])] = [
        ("Ant", ["leafcutter", "weaver ant", "wood ant", "honeypot ant"]),
        ("Bat", ["fruit bat", "pipistrelle", "horseshoe bat", "noctule"]),
        ("Beetle", ["ladybird", "stag beetle", "weevil", "firefly"]),
        ("Crab", ["hermit crab", "fiddler crab", "spider crab", "king crab"]),
        ("Finch", ["goldfinch", "siskin", "crossbill", "linnet"]),
        ("Minnow", ["dace", "roach", "chub", "bleak"]),
        ("Moth", ["hawk moth", "emperor moth", "silk moth", "tiger moth"]),
        ("Snail", ["pond snail", "cone snail", "periwinkle", "whelk"]),
        ("Spider", ["orb weaver", "wolf spider", "crab spider", "jumping spider"]),
        ("Worm", ["earthworm", "ragworm", "lugworm", "tubeworm"]),
    ]
    private static let colours = [
        "Amber", "Ashen", "Azure", "Black", "Bronze", "Brown", "Copper", "Crimson", "Dusky", "Emerald", "Golden",
        "Grey", "Ivory", "Jade", "Lilac", "Olive", "Pearl", "Red", "Rusty", "Sandy", "Silver", "Spotted", "Striped",
        "White",
    ]

    /// Inserts missing categories.
    static func insertCategories(into context: ModelContext) throws {
        for kind in kinds where try category(named: kind.category, context) == nil {
            context.insert(AnimalCategory(name: kind.category))
        }
    }

    /// Inserts a range of the generated animals; their categories must exist.
    /// - Parameter numbers: The first animal is number 0.
    static func insert(_ numbers: Range<Int>, into context: ModelContext) throws {
        let categories = try kinds.map { try category(named: $0.category, context) }
        for number in numbers {
            var chance = Chance(seed: UInt64(number))
            let place = number % kinds.count
            let name = "\(chance.pick(colours) ?? "") \(chance.pick(kinds[place].names) ?? "") \(number + 1)"
            let animal = Animal(name: name, diet: chance.pick(Animal.Diet.allCases) ?? .omnivorous)
            context.insert(animal)
            animal.category = categories[place]
        }
    }

    private static func category(named name: String, _ context: ModelContext) throws -> AnimalCategory? {
        var descriptor = FetchDescriptor<AnimalCategory>(predicate: #Predicate { $0.name == name })
        descriptor.fetchLimit = 1
        return try context.fetch(descriptor).first
    }
}

/// A seeded random number generator (SplitMix64).
private struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &+ 0x5EED_2005 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func pick<T>(_ choices: [T]) -> T? { choices.randomElement(using: &self) }
}
