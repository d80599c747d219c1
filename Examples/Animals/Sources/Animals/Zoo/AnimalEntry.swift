import Foundation
import SwiftData

/// What was typed into the animal form, before it is checked.
struct AnimalEntry {
    var name = ""
    var diet = ""
    var category: PersistentIdentifier?

    /// The values a model can take.
    /// - Throws: `ZooProblem` for the first field that does not hold one.
    @MainActor
    func checked(by zoo: Zoo) throws -> (name: String, diet: Animal.Diet, category: AnimalCategory) {
        let name = try EntryText.name(name)
        guard let diet = Animal.Diet(rawValue: diet) else { throw ZooProblem.unknownDiet }
        guard let category else { throw ZooProblem.missingCategory }
        return (name, diet, try zoo.category(category))
    }
}
