import Foundation
import SwiftData

/// The typed values of the animal form, before validation.
struct AnimalEntry {
    var name = ""
    var diet = ""
    var category: PersistentIdentifier?

    /// Returns the validated values.
    /// - Throws: `ZooProblem` for the first invalid field.
    @MainActor
    func checked(by zoo: Zoo) throws -> (name: String, diet: Animal.Diet, category: AnimalCategory) {
        let name = try EntryText.name(name)
        guard let diet = Animal.Diet(rawValue: diet) else { throw ZooProblem.unknownDiet }
        guard let category else { throw ZooProblem.missingCategory }
        return (name, diet, try zoo.category(category))
    }
}
