import Foundation
import SwiftData

/// The collection as the rest of the app sees it: every question to the models and every change of them goes through
/// here, on the main actor, in the container's main context.
@MainActor
final class Zoo {
    let container: ModelContainer
    /// Models by the identifier they had before their first save, so that a page made then still finds them.
    private var formerlyUnsaved: [PersistentIdentifier: any PersistentModel] = [:]
    private var saveObserver: (any NSObjectProtocol)?

    init(container: ModelContainer) {
        self.container = container
        saveObserver = NotificationCenter.default.addObserver(
            forName: ModelContext.willSave, object: container.mainContext, queue: nil
        ) { [weak self] _ in
            // The main context saves on the main actor, and the notification comes on the saving thread.
            MainActor.assumeIsolated { self?.rememberUnsavedModels() }
        }
    }

    isolated deinit {
        if let saveObserver { NotificationCenter.default.removeObserver(saveObserver) }
    }

    /// A model gets its lasting identifier at its first save; the one before it is worth nothing afterwards.
    private func rememberUnsavedModels() {
        formerlyUnsaved = formerlyUnsaved.filter { $0.value.modelContext != nil }
        for model in context.insertedModelsArray { formerlyUnsaved[model.persistentModelID] = model }
    }

    var context: ModelContext { container.mainContext }

    // MARK: Looking

    /// All categories by name.
    func categories() throws -> [AnimalCategory] {
        try context.fetch(FetchDescriptor<AnimalCategory>(sortBy: [SortDescriptor(\.name)]))
    }

    /// The animals of one category by name, or all of them.
    func animals(in category: AnimalCategory? = nil) throws -> [Animal] {
        var descriptor = FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)])
        if let categoryName = category?.name {
            descriptor.predicate = #Predicate { $0.category?.name == categoryName }
        }
        return try context.fetch(descriptor)
    }

    func animalCount() throws -> Int {
        try context.fetchCount(FetchDescriptor<Animal>())
    }

    /// - Throws: `ZooProblem.animalIsGone` for an identifier that names no animal, or one deleted meanwhile.
    func animal(_ id: PersistentIdentifier) throws -> Animal {
        guard let animal = try find(Animal.self, id) else { throw ZooProblem.animalIsGone }
        return animal
    }

    /// - Throws: `ZooProblem.categoryIsGone` for an identifier that names no category, or one deleted meanwhile.
    func category(_ id: PersistentIdentifier) throws -> AnimalCategory {
        guard let category = try find(AnimalCategory.self, id) else { throw ZooProblem.categoryIsGone }
        return category
    }

    private func find<T: PersistentModel>(_ type: T.Type, _ id: PersistentIdentifier) throws -> T? {
        if let model = formerlyUnsaved[id] as? T {
            return model.isDeleted || model.modelContext == nil ? nil : model
        }
        guard id.entityName == Schema.entityName(for: type) else { return nil }
        if let model: T = context.registeredModel(for: id) { return model.isDeleted ? nil : model }
        var descriptor = FetchDescriptor<T>(predicate: #Predicate { $0.persistentModelID == id })
        descriptor.fetchLimit = 1
        return try context.fetch(descriptor).first
    }

    // MARK: Changing

    /// Adds an animal.
    func addAnimal(_ entry: AnimalEntry) throws -> Animal {
        let values = try entry.checked(by: self)
        let animal = Animal(name: values.name, diet: values.diet)
        context.insert(animal)
        animal.category = values.category
        return animal
    }

    func edit(_ animal: Animal, to entry: AnimalEntry) throws {
        let values = try entry.checked(by: self)
        animal.name = values.name
        animal.diet = values.diet
        animal.category = values.category
    }

    func delete(_ animal: Animal) {
        context.delete(animal)
    }

    func addCategory(named text: String) throws -> AnimalCategory {
        let category = AnimalCategory(name: try freeCategoryName(text, for: nil))
        context.insert(category)
        return category
    }

    func rename(_ category: AnimalCategory, to text: String) throws {
        category.name = try freeCategoryName(text, for: category)
    }

    /// Deletes a category and, by its cascade rule, its animals.
    func delete(_ category: AnimalCategory) {
        context.delete(category)
    }

    func reloadSampleData() throws {
        try SampleData.reload(into: context)
    }

    /// Inserting a second category of the same name would quietly merge the two at save, so it is asked for first.
    private func freeCategoryName(_ text: String, for category: AnimalCategory?) throws -> String {
        let name = try EntryText.name(text)
        let taken = try categories().first { $0 !== category && $0.name.caseInsensitiveCompare(name) == .orderedSame }
        if let taken { throw ZooProblem.categoryNameIsTaken(taken.name) }
        return name
    }
}
