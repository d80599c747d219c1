import Foundation
import SwiftData

/// The collection. All fetches and changes of models happen here, on the main actor, in the container's main context.
@MainActor
final class Zoo {
    let container: ModelContainer
    /// Models by their identifier before the first save, so that pages made then still find them.
    private var formerlyUnsaved: [PersistentIdentifier: any PersistentModel] = [:]
    private var saveObservers: [any NSObjectProtocol] = []
    /// Deletes that can be undone.
    var undoList = UndoList()
    /// The number of pending changes without autosave: the step of the last one in the undo manager.
    private(set) var lastStep = 0

    init(container: ModelContainer) {
        self.container = container
        observe(ModelContext.willSave) { $0.rememberUnsavedModels() }
        observe(ModelContext.didSave) { zoo in
            zoo.forgetSteps()
            zoo.undoList.didSave()
        }
    }

    isolated deinit {
        for observer in saveObservers { NotificationCenter.default.removeObserver(observer) }
    }

    private func observe(_ name: Notification.Name, _ body: @escaping @MainActor (Zoo) -> Void) {
        saveObservers.append(
            NotificationCenter.default.addObserver(forName: name, object: container.mainContext, queue: nil) {
                [weak self] _ in
                // The main context saves on the main actor, and the notification is posted on the saving thread.
                MainActor.assumeIsolated { if let self { body(self) } }
            })
    }

    /// Remembers unsaved models by their identifiers, which become invalid when the first save assigns permanent ones.
    private func rememberUnsavedModels() {
        formerlyUnsaved = formerlyUnsaved.filter { $0.value.modelContext != nil }
        for model in context.insertedModelsArray { formerlyUnsaved[model.persistentModelID] = model }
    }

    var context: ModelContext { container.mainContext }

    // MARK: Fetching

    /// The number of animals on one page.
    static let pageSize = 100

    /// All categories, sorted by name.
    func categories() throws -> [AnimalCategory] {
        try context.fetch(FetchDescriptor<AnimalCategory>(sortBy: [SortDescriptor(\.name)]))
    }

    /// The numbers of animals, in total and by category.
    func counts() throws -> AnimalCounts { try AnimalCounts(context) }

    /// Fetches some of the animals of one category, or of all of them, sorted by name.
    /// - Parameter search: A text that the names must contain, ignoring case and accents; empty for all animals.
    func animals(
        in category: AnimalCategory? = nil, named search: String = "", from first: Int = 0, atMost limit: Int
    ) throws -> [Animal] {
        var descriptor = FetchDescriptor(
            predicate: Self.predicate(category, search), sortBy: [SortDescriptor(\Animal.name)])
        descriptor.fetchOffset = first
        descriptor.fetchLimit = limit
        return try context.fetch(descriptor)
    }

    /// The number of animals in one category, or in all of them; fetches no animals.
    /// - Parameter search: As for `animals(in:named:from:atMost:)`.
    func animalCount(in category: AnimalCategory? = nil, named search: String = "") throws -> Int {
        try context.fetchCount(FetchDescriptor(predicate: Self.predicate(category, search)))
    }

    /// The number of the category's animals that are not saved yet.
    func unsavedAnimalCount(in category: AnimalCategory) -> Int {
        context.insertedModelsArray.count { ($0 as? Animal)?.category === category }
    }

    private static func predicate(_ category: AnimalCategory?, _ search: String) -> Predicate<Animal>? {
        switch (category?.name, search.isEmpty) {
        case (nil, true): return nil
        case (nil, false): return #Predicate { $0.name.localizedStandardContains(search) }
        case (let category?, true): return #Predicate { $0.category?.name == category }
        case (let category?, false):
            return #Predicate { $0.category?.name == category && $0.name.localizedStandardContains(search) }
        }
    }

    /// - Throws: `ZooProblem.animalIsGone` if the identifier names no animal, or a deleted one.
    func animal(_ id: PersistentIdentifier) throws -> Animal {
        guard let animal = try find(Animal.self, id) else { throw ZooProblem.animalIsGone }
        return animal
    }

    /// - Throws: `ZooProblem.categoryIsGone` if the identifier names no category, or a deleted one.
    func category(_ id: PersistentIdentifier) throws -> AnimalCategory {
        guard let category = try find(AnimalCategory.self, id) else { throw ZooProblem.categoryIsGone }
        return category
    }

    /// The identifier for a URI; `nil` for any other text, as addresses can be typed by hand. A container resolves URIs
    /// of saved models only; URIs from before a model's first save are looked up among the models of this launch.
    func identifier(_ text: String) -> PersistentIdentifier? {
        guard let uri = URL(string: text) else { return nil }
        if let id = container.identifier(forURIRepresentation: uri) { return id }
        let unsaved = context.insertedModelsArray.lazy.map(\.persistentModelID)
        return unsaved.first { $0.uriRepresentation() == uri }
            ?? formerlyUnsaved.keys.first { $0.uriRepresentation() == uri }
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
        return step {
            let animal = Animal(name: values.name, diet: values.diet)
            context.insert(animal)
            animal.category = values.category
            return animal
        }
    }

    func edit(_ animal: Animal, to entry: AnimalEntry) throws {
        let values = try entry.checked(by: self)
        step {
            animal.name = values.name
            animal.diet = values.diet
            animal.category = values.category
        }
    }

    func addCategory(named text: String) throws -> AnimalCategory {
        let name = try freeCategoryName(text, for: nil)
        return step {
            let category = AnimalCategory(name: name)
            context.insert(category)
            return category
        }
    }

    func rename(_ category: AnimalCategory, to text: String) throws {
        let name = try freeCategoryName(text, for: category)
        step { category.name = name }
    }

    /// Makes a change one step of the undo manager, which exists while autosave is off.
    func step<Result>(_ change: () throws -> Result) rethrows -> Result {
        guard let manager = context.undoManager else { return try change() }
        manager.beginUndoGrouping()
        lastStep += 1
        defer { manager.endUndoGrouping() }
        return try change()
    }

    func undoLastStep() {
        context.undoManager?.undo()
        lastStep -= 1
    }

    /// Clears the undo manager. Call it after all changes are saved or discarded.
    func forgetSteps() {
        context.undoManager?.removeAllActions()
        lastStep = 0
    }

    /// Checks that no other category has the name: a save would silently merge the two.
    private func freeCategoryName(_ text: String, for category: AnimalCategory?) throws -> String {
        let name = try EntryText.name(text)
        let taken = try categories().first { $0 !== category && $0.name.caseInsensitiveCompare(name) == .orderedSame }
        if let taken { throw ZooProblem.categoryNameIsTaken(taken.name) }
        return name
    }
}
