import Foundation
import SwiftData

/// A named group of animals. Deleting a category deletes its animals.
@Model
final class AnimalCategory {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Animal.category)
    var animals = [Animal]()

    init(name: String) {
        self.name = name
    }
}
