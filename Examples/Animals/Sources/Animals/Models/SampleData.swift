import Foundation
import SwiftData

/// The collection a new store starts with, and the one "Reload sample data" goes back to.
enum SampleData {
    private static let animals: [(category: String, animals: [(name: String, diet: Animal.Diet)])] = [
        (
            "Mammal",
            [("Dog", .carnivorous), ("Cat", .carnivorous), ("Kangaroo", .herbivorous), ("Gibbon", .omnivorous)]
        ),
        ("Bird", [("Sparrow", .omnivorous), ("Barn owl", .carnivorous)]),
        ("Fish", [("Clownfish", .omnivorous), ("Pike", .carnivorous)]),
        ("Reptile", [("Green iguana", .herbivorous), ("Chameleon", .carnivorous)]),
        ("Amphibian", [("Newt", .carnivorous), ("Tree frog", .carnivorous)]),
        ("Invertebrate", [("Monarch butterfly", .herbivorous), ("Octopus", .carnivorous)]),
    ]

    /// Adds the sample categories with their animals.
    static func insert(into context: ModelContext) {
        for sample in animals {
            let category = AnimalCategory(name: sample.category)
            context.insert(category)
            for (name, diet) in sample.animals {
                let animal = Animal(name: name, diet: diet)
                context.insert(animal)
                animal.category = category
            }
        }
    }

    /// Deletes every category, which takes its animals along by the cascade rule, and starts again from the samples.
    static func reload(into context: ModelContext) throws {
        try context.delete(model: AnimalCategory.self)
        insert(into: context)
    }
}
