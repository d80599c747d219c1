import Foundation
import SwiftData

/// Two entities, where a category's animals survive it. Work on one table is measured with these, because no other rows refer to an
/// animal.
public enum NullifyModels {
    public static var types: [any PersistentModel.Type] { [AnimalCategory.self, Animal.self] }

    @Model
    public final class AnimalCategory {
        @Attribute(.unique) public var name: String
        @Relationship(deleteRule: .nullify, inverse: \Animal.category) public var animals: [Animal] = []

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
}
