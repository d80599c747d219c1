import ObjectGraph
import SQLiteStore
import StoreDeletion

/// What contexts need of their container. Apart from it, so that a container and its main context do not keep each other
/// alive.
final class ContainerCore: FileNeighbour {
    let schema: Schema
    let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// One per store of the library's own.
    let configurations: Set<ModelConfiguration>
    /// One file, or a view of the stores.
    let store: any Store
    /// Whether stores of a program's own are among them.
    let hasDataStores: Bool
    let contexts = ContextRegistry()
    let delegateReference = DeletionDelegateReference()
    /// Model classes, in the order of the model's entities.
    let modelTypes: [ModelType?]
    /// The same, for making objects: a `ModelType` is never let go of, so references need not be counted.
    private let keptTypes: [Unmanaged<ModelType>?]
    /// Whether any class has `let` properties to look after.
    let hasConstants: Bool
    private let hasRefusedConfigurations = Locked(false)
    let openFiles: Set<String>

    /// - Throws: As `ModelContainer.init(for:migrationPlan:configurations:)`.
    init(
        schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)?, configurations: [any DataStoreConfiguration]
    ) throws {
        self.schema = schema
        self.migrationPlan = migrationPlan
        let checked = try ContainerConfiguration.checked(configurations, for: schema)
        let files = checked.compactMap { $0 as? ModelConfiguration }
        self.configurations = Set(files)
        hasDataStores = files.count < checked.count
        do {
            let model = try schema.compiled()
            let warnings = try ContainerWarnings(model, schema)
            store = try ContainerConfiguration.openStore(
                checked, schema: schema, model: model, plan: migrationPlan)
            warnings.log(with: store.setDeleting?.openingWarnings ?? [])
            let typesByName = schema.modelTypesByName
            modelTypes = store.model.entities.map { typesByName[$0.name].map(ModelType.of) }
            keptTypes = modelTypes.map { $0.map(Unmanaged.passUnretained) }
            hasConstants = modelTypes.contains { $0?.constants.isEmpty == false }
        } catch {
            throw ErrorMapping.opening(error)
        }
        openFiles = Set(files.filter { !$0.isStoredInMemoryOnly }.map { OpenFiles.name(of: $0.url) })
        if !openFiles.isEmpty { OpenFiles.add(self) }
    }

    /// For one store that is open already.
    init(schema: Schema, store: SQLiteStore, configuration: ModelConfiguration) {
        self.schema = schema
        self.store = store
        migrationPlan = nil
        configurations = [configuration]
        hasDataStores = false
        openFiles = []
        let typesByName = schema.modelTypesByName
        modelTypes = store.model.entities.map { typesByName[$0.name].map(ModelType.of) }
        keptTypes = modelTypes.map { $0.map(Unmanaged.passUnretained) }
        hasConstants = modelTypes.contains { $0?.constants.isEmpty == false }
    }

    /// Other configurations were to take the place of those that the stores were opened with. Logged once.
    func refuseConfigurations() {
        let isFirst = hasRefusedConfigurations.withLock { isRefused in
            defer { isRefused = true }
            return !isRefused
        }
        guard isFirst else { return }
        ModelContext.logger.warning(
            "Setting the configurations of a container has no effect once its stores are open; make another container.")
    }

    /// The stores together; `nil` for one file.
    var group: StoreGroup? { (store as? StoreView)?.group }

    /// The stores one by one.
    var stores: [any Store] { group?.members.map(\.store) ?? [store] }

    /// The files behind the container, one by one.
    var sqliteStores: [SQLiteStore] { stores.compactMap { $0 as? SQLiteStore } }

    /// Those that keep a history, as every file does that was made by a container.
    /// - Throws: `HistoryError.notKept` when there is none.
    func storesWithHistory() throws -> [any HistoryKeeping] {
        let keeping = stores.compactMap(\.historyKeeping)
        guard !keeping.isEmpty else { throw HistoryError.notKept(store: store.identifier) }
        return keeping
    }

    /// Tells the live contexts what was saved: those of this container at once, those of others on the same file as soon
    /// as they look.
    /// - Parameter sender: the context that saved, which knows already; `nil` when none did.
    func post(_ changes: SavedChanges, from sender: Inbox?) {
        guard !changes.isEmpty else { return }
        contexts.post(changes, from: sender)
        notifyNeighbours()
    }

    /// Containers and coordinators that have the same files open look there for what was saved.
    func notifyNeighbours() { OpenFiles.notifyNeighbours(of: self, files: openFiles) }

    /// The contexts look for what was saved, now or when they are next used.
    func noticeSaves(in files: Set<String>) { contexts.wake() }

    /// Hands what other processes, and other containers of this one, saved to every live context.
    func noticeOthers() {
        do {
            contexts.post(try store.changesByOthers(), from: nil)
        } catch {
            ModelContext.logger.error("What others saved could not be read. \(String(describing: error))")
        }
    }

    func makeObject(for record: Record) -> AnyObject? {
        keptTypes[record.entityIndex]?._withUnsafeGuaranteedRef { $0.make(for: record) }
    }

    func modelType(named name: String) -> ModelType? {
        store.model.entity(named: name).flatMap { modelTypes[$0.index] }
    }

    /// Whether it is the class that the schema was made with, not that of another version under the same name: its
    /// values would be in other places.
    func isClass(_ type: any PersistentModel.Type, of entity: Entity) -> Bool {
        modelTypes[entity.index].map { ModelType.of(type).isKind(of: $0) } ?? true
    }
}
