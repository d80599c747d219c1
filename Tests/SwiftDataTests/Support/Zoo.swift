import Foundation
import SwiftData

enum Diet: String, Codable, CaseIterable {
    case herbivorous = "Herbivore"
    case carnivorous = "Carnivore"
    case omnivorous = "Omnivore"
}

@Model
final class AnimalCategory {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Animal.category)
    var animals = [Animal]()

    init(name: String) {
        self.name = name
    }
}

@Model
final class Animal {
    var name: String
    var diet: Diet
    var age: Int = 0
    var weight: Double?
    var born: Date?
    var category: AnimalCategory?
    @Relationship(inverse: \Tag.animals) var tags: [Tag] = []

    init(name: String, diet: Diet = .omnivorous, age: Int = 0, category: AnimalCategory? = nil) {
        self.name = name
        self.diet = diet
        self.age = age
        self.category = category
    }
}

@Model
final class Tag {
    var label: String
    var animals: [Animal] = []

    init(label: String) {
        self.label = label
    }
}

/// A container in memory for the zoo.
func makeZoo() throws -> ModelContainer {
    try ModelContainer(
        for: AnimalCategory.self, Animal.self, Tag.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}
