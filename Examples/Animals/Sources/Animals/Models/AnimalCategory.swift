import Foundation
import SwiftData

/// A group of animals with a name of its own. Deleting a category deletes its animals.
@Model
final class AnimalCategory {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Animal.category)
    var animals = [Animal]()

    init(name: String) {
        self.name = name
    }
}
