import Foundation
import SwiftData

/// Categories of animals with their visits and tags: deleting a category cascades to its animals and their visits.
public enum GraphModels {
    public static var types: [any PersistentModel.Type] {
        [AnimalCategory.self, Animal.self, Visit.self, Tag.self]
    }

    @Model
    public final class AnimalCategory {
        @Attribute(.unique) public var name: String
        @Relationship(deleteRule: .cascade, inverse: \Animal.category) public var animals: [Animal] = []

        public init(name: String) {
            self.name = name
        }
    }

    @Model
    public final class Animal {
        public var name: String
        public var diet: String
        public var age: Int
        public var weight: Double
        public var born: Date
        public var category: AnimalCategory?
        @Relationship(deleteRule: .cascade, inverse: \Visit.animal) public var visits: [Visit] = []
        @Relationship(inverse: \Tag.animals) public var tags: [Tag] = []

        public init(
            name: String, diet: String, age: Int, weight: Double, born: Date, category: AnimalCategory? = nil
        ) {
            self.name = name
            self.diet = diet
            self.age = age
            self.weight = weight
            self.born = born
            self.category = category
        }
    }

    @Model
    public final class Visit {
        public var when: Date
        public var note: String
        public var animal: Animal?

        public init(when: Date, note: String, animal: Animal? = nil) {
            self.when = when
            self.note = note
            self.animal = animal
        }
    }

    @Model
    public final class Tag {
        public var name: String
        public var animals: [Animal] = []

        public init(name: String) {
            self.name = name
        }
    }
}
