import Foundation
import FoundationAdditions
import Logging
import ObjectGraph
import StoreDeletion

/// Where models live while a program works with them: inserts, edits and deletions gather here until `save()` writes them
/// in one transaction.
///
/// A context and its models are used from one isolation only. A context made with `init(_:)` saves when told to;
/// `ModelContainer.mainContext` saves by itself.
public class ModelContext: Equatable, SendableMetatype {
    /// The container the context was made from. The main context outlives its container only as a handle on its stores.
    public var container: ModelContainer { heldContainer ?? mainContainer ?? ModelContainer(core) }
    private let heldContainer: ModelContainer?
    /// The container that holds this context.
    private weak var mainContainer: ModelContainer?
    let core: ContainerCore
    let graph: Graph
    /// Whether unsaved work is saved by itself soon after it began, and when the context goes away.
    public var autosaveEnabled: Bool = false {
        didSet {
            graph.options.tellsOfChanges = autosaveEnabled
            if autosaveEnabled, hasChanges { autosave.schedule() }
        }
    }
    /// Where unsaved work is registered to be undone; `nil` for nowhere. Work up to a save, or to
    /// `processPendingChanges()`, is undone together unless the manager was told to group it otherwise.
    public var undoManager: UndoManager? {
        didSet { graph.undoRecorder = undoManager == nil ? nil : self }
    }
    /// Text that stands beside the context's saves in the history.
    public var author: String? {
        get { editingState.author }
        set { editingState.author = newValue }
    }
    public var editingState = EditingState() {
        didSet { dataStoreCaller?.editingState = editingState }
    }
    /// What calls stores of a program's own; `nil` where there are none.
    private(set) var dataStoreCaller: DataStoreCaller?
    /// Saves unsaved work of a context that saves by itself.
    var autosave: any AutosaveSchedule = NoAutosave()

    /// A context that saves when told to.
    public init(_ container: ModelContainer) {
        core = container.core
        heldContainer = container
        graph = core.makeGraph()
        begin()
    }

    /// The context that the container itself holds.
    init(mainOf container: ModelContainer) {
        core = container.core
        heldContainer = nil
        graph = core.makeGraph()
        mainContainer = container
        begin()
    }

    private func begin() {
        graph.face = self
        graph.lender = OrphanedModels(core)
        graph.options.deleteObserver = DeletionAnnouncer(core)
        graph.saveOptions.constraints = .updateEqual
        graph.options.asksForConstants = core.hasConstants
        core.contexts.add(graph.inbox)
        if core.hasDataStores {
            let caller = DataStoreCaller(graph, editingState)
            dataStoreCaller = caller
            (graph.store as? StoreView)?.setCaller(caller)
        }
        core.eachDataStore { $0.initializeState(for: editingState) }
    }

    deinit {
        if autosaveEnabled, graph.hasChanges { saveOnLeaving() }
        core.contexts.remove(graph.inbox)
        core.eachDataStore { $0.invalidateState(for: editingState) }
    }

    public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }

    static func context(of record: Record) -> ModelContext? {
        record.graph?.face as? ModelContext
    }

    // MARK: Unsaved work

    /// Whether there is anything to save, or to be refused by `save()`.
    /// - Complexity: O(n) at worst, in the models edited and taken back since the last save.
    public var hasChanges: Bool { graph.hasChanges }
    /// New models, in the order they came.
    /// - Complexity: O(n) in the unsaved models, as for the next two, each of which is made where nobody holds it.
    public var insertedModelsArray: [any PersistentModel] { models(graph.insertedRecords) }
    /// Stored models with edits, in the order these began.
    public var changedModelsArray: [any PersistentModel] { models(graph.updatedRecords) }
    /// Stored models that go with the next save; of deletes by predicate, those that this context holds.
    public var deletedModelsArray: [any PersistentModel] { models(graph.deletedRecords) }

    func models(_ records: [Record]) -> [any PersistentModel] {
        records.compactMap { graph.object(of: $0) as? any PersistentModel }
    }

    func model<T: PersistentModel>(of record: Record, as type: T.Type) -> T? {
        graph.model(of: record, as: type)
    }

    // MARK: Models by identity

    /// The model of an identifier, read when first used. For a row that does not exist, a model with empty values that
    /// says it has no context.
    ///
    /// Saves of other contexts are merged first, so that what is read now agrees with the relationships around it. Models
    /// that the program does not hold may be released.
    /// - Complexity: Reads nothing but SQLite's counter of commits, and that for a model which this context has not read.
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

    /// The model of an identifier if this context already holds it; never reads the store. What other contexts of the
    /// container have saved is taken in first.
    public func registeredModel<T>(for persistentModelID: PersistentIdentifier) -> T? where T: PersistentModel {
        graph.mergeWaitingChanges()
        guard let record = graph.registeredRecord(for: persistentModelID.objectID), !record.isGone else { return nil }
        return model(of: record, as: T.self)
    }

    // MARK: Insert and delete

    /// Makes a new model, and every new model linked with it, part of this context; nothing is written until `save()`.
    ///
    /// A model of another context, or of a class that is not in the schema, is refused: the next `save()` throws, unless the
    /// model is handed to `delete(_:)`, or everything is rolled back, before that.
    public func insert<T>(_ model: T) where T: PersistentModel {
        graph.insert(model.member)
    }

    /// Marks a model, and the models that cascades reach, for deletion at the next `save()`. Fetches and relationships
    /// of this context show them gone at once. A `.deny` rule is judged at save.
    ///
    /// The rules are followed from all models deleted so together, when anything is asked that may depend on them, or at the
    /// save: a loop over many models costs one or two statements for each relationship and level of a cascade. With an undo
    /// manager, or once a model of the context has been observed, they are followed at once. Where the store cannot be read
    /// then, that is logged, and the next `save()` throws.
    ///
    /// A model of another context stays, and the next `save()` throws. Where inserting or linking the model was refused,
    /// this takes that back.
    public func delete<T>(_ model: T) where T: PersistentModel {
        graph.deleteLater(model.record)
    }

    /// Marks every model that matches, and what delete rules take along, for deletion at the next `save()`. The set is
    /// fixed at the call: models inserted later are never touched.
    /// - Parameters:
    ///   - predicate: `nil` for all models of the type.
    ///   - includeSubclasses: Whether models of classes below the type go too.
    /// - Throws: `SwiftDataError.unsupportedPredicate`, or what reading the store throws.
    public func delete<T>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws where T: PersistentModel {
        try delete(matching: predicate, includeSubclasses: includeSubclasses, limit: nil)
    }

    /// Saves without telling observers of this context, which is about to be gone.
    private func saveOnLeaving() {
        do {
            core.post(try graph.save(author: author), from: graph.inbox)
        } catch {
            report(error)
        }
    }

    // MARK: Save and take back

    /// Processes what changed since the last call: changes saved by other contexts are taken in, and what was changed here
    /// becomes one step to undo.
    public func processPendingChanges() {
        core.noticeOthers()
        graph.mergeWaitingChanges()
        undoManager?.endEvent()
    }

    /// Takes back all unsaved work: inserted models leave, edited and deleted ones are as last saved. What was refused is
    /// forgotten.
    public func rollback() {
        graph.rollback()
        undoManager?.removeAllActions()
    }

    /// Runs the block, then saves. When the block throws, the unsaved work of this context is taken back.
    /// - Throws: What the block or `save()` throws.
    public func transaction(block: () throws -> Void) throws {
        do {
            try block()
        } catch {
            rollback()
            throw error
        }
        try save()
    }

    /// Writes all unsaved work in one transaction; on an error nothing is written and the work stays unsaved. In a
    /// container of several stores each has a transaction of its own, and none is committed before all are written.
    /// - Throws: `CocoaError` 1570, 1580, 1590 or 1600 for a broken rule of the schema (1560 for several), 133021 for values
    ///   that must be unique and are not, where no new model can take the place of the other one,
    ///   `SwiftDataError.modelValidationFailure` while work that this context refused is not taken back (a model of another
    ///   context inserted, deleted or linked; a class that is not in the schema),
    ///   `CocoaError.fileWriteNoPermission` for changes to models of a read-only store, 134180 when SQLite fails, or what a
    ///   store of the program's own throws.
    /// - Complexity: A statement for each row inserted or updated and for each member linked without a key of its own; a few
    ///   for each class of what is deleted, at each level of a cascade; one for each change that the history tells of.
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
            name: ModelContext.didSave, object: self, userInfo: SaveNotification.userInfo(changes, of: .context))
        graph.sweepIfNeeded()
    }
}

extension ModelContext: UndoRecorder {
    package func note(_ step: UndoStep) {
        undoManager?.registerUndo(withTarget: self) { $0.graph.revert(step) }
    }
}

// Says that it is not: a context is used in one isolation.
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
        autosave.schedule()
    }

    package func report(_ error: any Error) {
        Self.logger.error("\(String(describing: error))")
    }

    static let logger = Logger(label: "SwiftData")
}
