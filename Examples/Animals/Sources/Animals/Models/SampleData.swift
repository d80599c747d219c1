import Foundation
import SwiftData

/// The initial collection of a new store, which "Reload sample data" restores.
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

    /// The number of sample models, categories and animals.
    static var count: Int { animals.reduce(animals.count) { $0 + $1.animals.count } }

    /// Inserts the sample categories with their animals.
    @discardableResult
    static func insert(into context: ModelContext) -> [AnimalCategory] {
        animals.map { sample in
            let category = AnimalCategory(name: sample.category)
            context.insert(category)
            for (name, diet) in sample.animals {
                let animal = Animal(name: name, diet: diet)
                context.insert(animal)
                animal.category = category
            }
            return category
        }
    }

    /// Deletes all categories, which cascades to their animals, and inserts the samples.
    /// - Returns: The token that restores the deleted models once the delete is saved, or `nil` if unsaved changes
    ///   affect the delete; and the new categories.
    static func reload(into context: ModelContext) throws -> (token: DeletionToken?, categories: [AnimalCategory]) {
        var token: DeletionToken?
        do {
            token = try context.deleteAndArchive(model: AnimalCategory.self)
        } catch DeletionError.cannotBePlanned {
            try context.delete(model: AnimalCategory.self)
        }
        return (token, insert(into: context))
    }
}
