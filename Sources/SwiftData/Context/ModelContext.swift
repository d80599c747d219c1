import Foundation
import FoundationAdditions
import Logging
import ObjectGraph
import StoreDeletion

/// The working set of a program's models: inserts, edits and deletions collect here until `save()` writes them in one
/// transaction.
///
/// A context and its models are used from one isolation only. A context created with `init(_:)` saves when `save()` is
/// called; `ModelContainer.mainContext` also saves by itself.
public class ModelContext: Equatable, SendableMetatype {
    /// The container that the context was created from. The main context does not retain its container: after the container
    /// is released, this is another handle on the same stores.
    public var container: ModelContainer { heldContainer ?? mainContainer ?? ModelContainer(core) }
    private let heldContainer: ModelContainer?
    /// The container that retains this context.
    private weak var mainContainer: ModelContainer?
    let core: ContainerCore
    let graph: Graph
    /// Wakes this context when others have saved.
    let waking: ContextWaking
    /// Whether unsaved changes are saved automatically. The main context then saves when the main actor has finished its
    /// current work; any other context saves when it is released. Errors are logged. The default is `false`, for the main
    /// context `true`.
    public var autosaveEnabled: Bool = false {
        didSet {
            graph.options.notifiesOfChanges = autosaveEnabled || !followers.isEmpty
            if autosaveEnabled, hasChanges { autosave.schedule() }
        }
    }
    /// The undo manager that unsaved changes are registered with; `nil` for none. The changes up to a save, or up to
    /// `processPendingChanges()`, is one undo step unless the undo manager groups it otherwise.
    public var undoManager: UndoManager? {
        didSet { graph.undoRecorder = undoManager == nil ? nil : self }
    }
    /// The author that the context's saves have in the history; `nil` for none.
    public var author: String? {
        get { editingState.author }
        set { editingState.author = newValue }
    }
    /// The identity and author of the context, as stores see them.
    public var editingState = EditingState() {
        didSet { dataStoreCaller?.editingState = editingState }
    }
    /// Calls stores of the program's own classes on behalf of this context; `nil` if there are none.
    private(set) var dataStoreCaller: DataStoreCaller?
    /// The schedule of automatic saves.
    var autosave: any AutosaveSchedule = NoAutosave()
    /// The live results of this context.
    let followers = ContextFollowers()

    /// Creates a context that saves only when `save()` is called.
    /// - Parameter container: The container whose stores the context works with.
    public init(_ container: ModelContainer) {
        core = container.core
        heldContainer = container
        graph = core.makeGraph()
        waking = ContextWaking(graph.inbox)
        begin()
    }

    /// Creates the context that the container itself retains.
    init(mainOf container: ModelContainer) {
        core = container.core
        heldContainer = nil
        graph = core.makeGraph()
        waking = ContextWaking(graph.inbox)
        mainContainer = container
        begin()
        autosave = MainActorAutosave(self)
    }

    private func begin() {
        graph.face = self
        graph.lender = OrphanedModels(core)
        graph.options.deleteObserver = DeletionAnnouncer(core)
        graph.saveOptions.constraints = .updateEqual
        graph.options.asksForConstants = core.hasConstants
        core.contexts.add(waking)
        if core.hasDataStores {
            let caller = DataStoreCaller(graph, editingState)
            dataStoreCaller = caller
            (graph.store as? StoreView)?.setCaller(caller)
        }
        core.eachDataStore { $0.initializeState(for: editingState) }
    }

    deinit {
        if autosaveEnabled, graph.hasChanges { saveOnDeinit() }
        core.contexts.remove(waking)
        core.eachDataStore { $0.invalidateState(for: editingState) }
    }

    /// Returns whether both are the same context.
    public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }

    static func context(of record: Record) -> ModelContext? {
        record.graph?.face as? ModelContext
    }

    // MARK: Unsaved changes

    /// Whether there are unsaved changes, or refused edits that make `save()` throw.
    /// - Complexity: O(n) at worst, in the models edited and reverted since the last save.
    public var hasChanges: Bool { graph.hasChanges }
    /// The inserted models that are not saved yet, in the order of insertion.
    /// - Complexity: O(n) in the unsaved models. An object is created for each model that the program does not hold.
    public var insertedModelsArray: [any PersistentModel] { models(graph.insertedRecords) }
    /// The stored models with unsaved edits, in the order in which they were first edited.
    /// - Complexity: O(n) in the unsaved models. An object is created for each model that the program does not hold.
    public var changedModelsArray: [any PersistentModel] { models(graph.updatedRecords) }
    /// The stored models that the next save deletes. Of bulk deletes, only models that the context has loaded.
    /// - Complexity: O(n) in the unsaved models. An object is created for each model that the program does not hold.
    public var deletedModelsArray: [any PersistentModel] { models(graph.deletedRecords) }

    func models(_ records: [Record]) -> [any PersistentModel] {
        records.compactMap { graph.object(of: $0) as? any PersistentModel }
    }

    func model<T: PersistentModel>(of record: Record, as type: T.Type) -> T? {
        graph.model(of: record, as: type)
    }

    // MARK: Models by identity

    /// Returns the model with an identifier. Its row is read when the model is first used. If the row does not exist, the
    /// result is a model with empty values whose `modelContext` is `nil`.
    ///
    /// Saves of other contexts are merged first, so that the values read agree with the relationships around the model.
    /// Models that the program does not hold may be released.
    /// - Parameter persistentModelID: The identifier of the model.
    /// - Complexity: No row is read. For a model that this context has not read yet, SQLite's counter of commits is read.
    public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
        graph.sweepIfNeeded()
        if graph.registeredRecord(for: persistentModelID.objectID)?.isFault ?? true { core.noticeOthers() }
        graph.mergeWaitingChanges()
        if let record = graph.record(for: persistentModelID.objectID),
            let model = graph.object(of: record) as? any PersistentModel
        {
            return model
        }
        guard let type = core.modelType(named: persistentModelID.entityName)?.type else {
            report(GraphError.unknownEntity(persistentModelID.entityName))
            return UnknownModel.makeDetached()
        }
        return type.makeDetached()
    }

    /// Returns the model with an identifier if this context has it already, else `nil`. The store is never read. Saves of
    /// the container's other contexts are merged first.
    /// - Parameter persistentModelID: The identifier of the model.
    /// - Returns: `nil` also if the row was deleted or the model is of another type.
    public func registeredModel<T>(for persistentModelID: PersistentIdentifier) -> T? where T: PersistentModel {
        graph.mergeWaitingChanges()
        guard let record = graph.registeredRecord(for: persistentModelID.objectID), !record.isGone else { return nil }
        return model(of: record, as: T.self)
    }

    // MARK: Insert and delete

    /// Inserts a new model, and every new model linked with it, into this context. Nothing is written until `save()`.
    ///
    /// A model of another context, or of a class outside the schema, is refused: the next `save()` throws
    /// `SwiftDataError.modelValidationFailure`, unless the model is passed to `delete(_:)`, or everything is rolled back,
    /// before that.
    /// - Parameter model: The model to insert.
    public func insert<T>(_ model: T) where T: PersistentModel {
        graph.insert(model.member)
    }

    /// Marks a model, and the models that cascades reach, for deletion at the next `save()`. Fetches and relationships of
    /// this context no longer contain them. A `.deny` rule is checked by the save.
    ///
    /// The delete rules are followed from all models deleted in this way together: at the first access that may depend on
    /// them, or at the save. A loop over many models costs one or two statements for each relationship and level of a
    /// cascade. With an undo manager, or once a model of the context has been observed, the rules are followed at once. If
    /// the store cannot be read at that time, the error is logged and the next `save()` throws.
    ///
    /// A model of another context is not deleted, and the next `save()` throws. If inserting or linking the model was
    /// refused, this call undoes the refused edit.
    /// - Parameter model: The model to delete.
    public func delete<T>(_ model: T) where T: PersistentModel {
        graph.deleteLater(model.record)
    }

    /// Marks every model that matches a predicate, and the models that cascades reach, for deletion at the next `save()`.
    /// The set is fixed at the call: models inserted later are never deleted by it. No model is read unless only memory can
    /// evaluate the predicate.
    ///
    /// A store of the program's own class that is `DataStoreBatching` deletes the models at once if the context has no
    /// unsaved changes. In other such stores, the models are read and deleted one by one at the save.
    /// - Parameters:
    ///   - model: The type of the models.
    ///   - predicate: The condition; `nil` for all models of the type.
    ///   - includeSubclasses: Whether models of subclasses are deleted too.
    /// - Throws: `SwiftDataError.unsupportedPredicate` for a predicate that cannot be evaluated, `unknownSchema` for a
    ///   class outside the schema, or an error of reading the store.
    /// - Complexity: One or two statements for each relationship of each class reached, and each level of a cascade.
    public func delete<T>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws where T: PersistentModel {
        try delete(matching: predicate, includeSubclasses: includeSubclasses, limit: nil)
    }

    /// Saves without notifying observers of this context, which is being released.
    private func saveOnDeinit() {
        do {
            core.post(try graph.save(author: author), from: graph.inbox)
        } catch {
            report(error)
        }
    }

    // MARK: Save and roll back

    /// Merges the changes that other contexts and processes have saved, and ends the current undo step.
    /// - Complexity: One look at each file; the changes of other processes are read from the history.
    public func processPendingChanges() {
        core.noticeOthers()
        graph.mergeWaitingChanges()
        undoManager?.endEvent()
        followers.notify(.rest)
    }

    /// Discards all unsaved changes: inserted models leave the context, edited and deleted models are as last saved. Refused
    /// edits are discarded too. The undo manager's actions are removed.
    public func rollback() {
        graph.rollback()
        undoManager?.removeAllActions()
        followers.notify(.rest)
    }

    /// Runs a block, then saves. If the block throws, all unsaved changes of this context are discarded, including those
    /// from before the block.
    /// - Parameter block: The changes to make.
    /// - Throws: The error of the block, or an error of `save()`.
    public func transaction(block: () throws -> Void) throws {
        do {
            try block()
        } catch {
            rollback()
            throw error
        }
        try save()
    }

    /// Writes all unsaved changes in one transaction. On an error nothing is written, and the changes stay unsaved. In a
    /// container of several stores each has a transaction of its own, and none is committed before all are written.
    ///
    /// If there are no unsaved changes, nothing is done and no notification is posted.
    /// - Throws: `CocoaError` 1550 (a value cannot be stored), 1570 (a mandatory value is missing), 1580 (too few members),
    ///   1590 (too many members) or 1600 (deletion denied) for a broken rule of the schema; 1560 for several. 133021 for a
    ///   uniqueness conflict that no upsert resolves. `SwiftDataError.modelValidationFailure` while a refused edit of
    ///   this context is not undone (a model of another context inserted, deleted or linked; a class outside the schema).
    ///   `CocoaError.fileWriteNoPermission` (513) for changes to models of a read-only store, 133020 if conflicts with
    ///   other contexts persist, 134030 for other refused saves, 134180 if SQLite fails, or the error of a store of the
    ///   program's own class.
    /// - Complexity: One statement for each row inserted or updated, for each member linked without a key of its own, and
    ///   for each change recorded in the history; for deletions, a few statements for each class and level of a cascade.
    public func save() throws {
        guard hasChanges else { return }
        guard !core.store.isReadOnly else { throw core.readOnlyError() }
        NotificationCenter.default.post(name: ModelContext.willSave, object: self)
        let changes: SavedChanges
        do {
            changes = try graph.save(author: author)
        } catch {
            throw core.savingError(error)
        }
        undoManager?.endEvent()
        core.post(changes, from: graph.inbox)
        NotificationCenter.default.post(
            name: ModelContext.didSave, object: self,
            userInfo: SaveNotification.userInfo(changes, of: .context, in: core))
        graph.sweepIfNeeded()
        followers.notify(.rest)
    }
}

extension ModelContext: UndoRecorder {
    package func note(_ step: UndoStep) {
        undoManager?.registerUndo(withTarget: self) {
            $0.graph.revert(step)
            $0.followers.notify(.rest)
        }
    }
}

// A context is used in one isolation only.
@available(*, unavailable)
extension ModelContext: @unchecked Sendable {}

extension ModelContext: GraphFace {
    package func makeObject(for record: Record) -> AnyObject? {
        core.makeObject(for: record)
    }

    package func isObject(_ object: AnyObject, of entity: Entity) -> Bool {
        guard let model = object as? any PersistentModel else { return false }
        return core.isClass(type(of: model), of: entity)
    }

    package func readConstants(of object: AnyObject) {
        guard let model = object as? any PersistentModel else { return }
        ConstantProperties.read(from: model)
    }

    package func redirect(_ object: AnyObject, to record: Record) {
        (object as? any PersistentModel)?.redirect(to: record)
    }

    package func graphDidChange() {
        if autosaveEnabled { autosave.schedule() }
        followers.notify(.edit)
        if followers.isEmpty { graph.options.notifiesOfChanges = autosaveEnabled }
    }

    package func report(_ error: any Error) {
        Self.logger.error("\(String(describing: error))")
    }

    static let logger = Logger(label: "SwiftData")
}
