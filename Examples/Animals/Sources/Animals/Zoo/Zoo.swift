import Foundation
import SwiftData

/// The collection. All changes of models happen here, on the main actor, in the container's main context. Pages show
/// what observers follow: the saved collection, or that of the main context while changes are unsaved.
@MainActor
final class Zoo {
    let container: ModelContainer
    /// The saved collection, which is followed elsewhere.
    let saved: SavedCollection
    /// What the main context has, followed while changes are unsaved.
    private var unsaved: FollowedCollection?
    /// Models by their identifier before the first save, so that pages made then still find them.
    private var formerlyUnsaved: [PersistentIdentifier: any PersistentModel] = [:]
    private var saveObservers: [any NSObjectProtocol] = []
    /// Deletes that can be undone.
    var undoList = UndoList()
    /// The number of pending changes without autosave: the step of the last one in the undo manager.
    private(set) var lastStep = 0

    init(container: ModelContainer) {
        self.container = container
        saved = SavedCollection(modelContainer: container)
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

    // MARK: Showing

    /// The animals of a page of a list, with all counts.
    /// - Parameter category: The category whose first animals are wanted as well.
    func shown(
        _ listing: Listing, relativesIn category: ListedCategory?, newLists: FollowedCollection.NewLists
    ) async throws -> ShownCollection {
        if let unsaved = try followedWhileUnsaved() {
            return try unsaved.shown(listing, relativesIn: category, newLists: newLists)
        }
        return try await saved.shown(listing, relativesIn: category, newLists: newLists)
    }

    /// The numbers of animals, in total and by category.
    func counts() async throws -> AnimalCounts {
        if let unsaved = try followedWhileUnsaved() { return unsaved.counts }
        return try await saved.counts()
    }

    /// Follows the main context as long as it has unsaved changes, which its observers see and others do not.
    /// - Returns: `nil` if nothing is unsaved.
    private func followedWhileUnsaved() throws -> FollowedCollection? {
        // With autosave, these changes are about to be saved. If they cannot be, they are shown as unsaved.
        if isAutosaving { try? save() }
        guard hasUnsavedChanges else {
            unsaved = nil
            return nil
        }
        if let unsaved { return unsaved }
        // Requests that change something notify the windows themselves, and saves of others reach the saved collection.
        let followed = try FollowedCollection(context, onChange: {})
        unsaved = followed
        return followed
    }

    /// Releases the observers of lists that no window has requested since a time.
    func releaseLists(notShownSince time: ContinuousClock.Instant) async {
        unsaved?.releaseLists(notShownSince: time)
        await saved.releaseLists(notShownSince: time)
    }

    // MARK: Looking up

    /// All categories, sorted by name.
    func categories() throws -> [AnimalCategory] {
        try context.fetch(FetchDescriptor<AnimalCategory>(sortBy: [SortDescriptor(\.name)]))
    }

    /// The number of animals that the delete of a category, or of everything, deletes; fetches no animals.
    func animalCount(in category: AnimalCategory? = nil) throws -> Int {
        try context.fetchCount(FetchDescriptor(predicate: FollowedCollection.predicate(category?.name)))
    }

    /// The number of the category's animals that are not saved yet.
    func unsavedAnimalCount(in category: AnimalCategory) -> Int {
        context.insertedModelsArray.count { ($0 as? Animal)?.category === category }
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
