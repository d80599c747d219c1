import Foundation
import SwiftData

/// The collection as the rest of the app sees it: every question to the models and every change of them goes through
/// here, on the main actor, in the container's main context.
@MainActor
final class Zoo {
    let container: ModelContainer
    /// Models by the identifier they had before their first save, so that a page made then still finds them.
    private var formerlyUnsaved: [PersistentIdentifier: any PersistentModel] = [:]
    private var saveObservers: [any NSObjectProtocol] = []
    /// Deletes that can be undone.
    var undoList = UndoList()
    /// How many changes wait for a save, while autosave is off: the place of the last one in the undo manager.
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
                // The main context saves on the main actor, and the notification comes on the saving thread.
                MainActor.assumeIsolated { if let self { body(self) } }
            })
    }

    /// A model gets its lasting identifier at its first save; the one before it is worth nothing afterwards.
    private func rememberUnsavedModels() {
        formerlyUnsaved = formerlyUnsaved.filter { $0.value.modelContext != nil }
        for model in context.insertedModelsArray { formerlyUnsaved[model.persistentModelID] = model }
    }

    var context: ModelContext { container.mainContext }

    // MARK: Looking

    /// How many animals one page lists.
    static let pageSize = 100

    /// All categories by name.
    func categories() throws -> [AnimalCategory] {
        try context.fetch(FetchDescriptor<AnimalCategory>(sortBy: [SortDescriptor(\.name)]))
    }

    /// How many animals there are, in total and by category.
    func counts() throws -> AnimalCounts { try AnimalCounts(context) }

    /// Some of the animals of one category by name, or of all of them.
    /// - Parameter search: Text that their names contain, without regard to case and accents; empty for every name.
    func animals(
        in category: AnimalCategory? = nil, named search: String = "", from first: Int = 0, atMost limit: Int
    ) throws -> [Animal] {
        var descriptor = FetchDescriptor(
            predicate: Self.predicate(category, search), sortBy: [SortDescriptor(\Animal.name)])
        descriptor.fetchOffset = first
        descriptor.fetchLimit = limit
        return try context.fetch(descriptor)
    }

    /// How many animals one category has, or all of them together; reads none of them.
    /// - Parameter search: As for `animals(in:named:from:atMost:)`.
    func animalCount(in category: AnimalCategory? = nil, named search: String = "") throws -> Int {
        try context.fetchCount(FetchDescriptor(predicate: Self.predicate(category, search)))
    }

    /// Animals of the category that no save has stored yet.
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

    /// The identifier that a URI stands for; `nil` for any other text, as addresses can be typed by hand. A container resolves
    /// URIs of saved models only: those from before a model's first save are looked up among the models of this launch.
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

    /// Makes a change one step of the undo manager, which is there while autosave is off.
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

    /// To be called when all changes are saved or discarded.
    func forgetSteps() {
        context.undoManager?.removeAllActions()
        lastStep = 0
    }

    /// Inserting a second category of the same name would quietly merge the two at save, so it is asked for first.
    private func freeCategoryName(_ text: String, for category: AnimalCategory?) throws -> String {
        let name = try EntryText.name(text)
        let taken = try categories().first { $0 !== category && $0.name.caseInsensitiveCompare(name) == .orderedSame }
        if let taken { throw ZooProblem.categoryNameIsTaken(taken.name) }
        return name
    }
}
