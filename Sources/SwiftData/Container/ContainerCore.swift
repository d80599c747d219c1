import ObjectGraph
import StoreDeletion

/// The part of a container that its contexts use. It is separate from `ModelContainer` so that a container and its main
/// context do not retain each other.
final class ContainerCore: OpenStoreObserver {
    let schema: Schema
    let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// One for each store of the library's own class.
    let configurations: Set<ModelConfiguration>
    /// A single SQLite store, or a view of several stores.
    let store: any Store
    /// Whether any store is of a class of the program's own.
    let hasDataStores: Bool
    let contexts = ContextRegistry<ContextWaking>()
    let delegateReference = DeletionDelegateReference()
    /// Model classes, in the order of the model's entities.
    let modelTypes: [ModelType?]
    /// The elements of `modelTypes`, for creating objects. A `ModelType` is never released, so references need not be
    /// counted.
    private let retainedTypes: [Unmanaged<ModelType>?]
    /// Whether any class has stored `let` properties.
    let hasConstants: Bool
    private let hasRefusedConfigurations = Locked(false)
    private let openFiles: [OpenFile]
    let saveWatches = SaveWatches()
    /// The order of what contexts and pollers read.
    private let pollOrder = PollOrder()
    let owner = Locked(ContainerOwner())
    /// The identifiers of the stores by the names of their configurations.
    let storeIdentifiers: [String: String]

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
            retainedTypes = modelTypes.map { $0.map(Unmanaged.passUnretained) }
            hasConstants = modelTypes.contains { $0?.constants.isEmpty == false }
        } catch {
            throw ErrorMapping.opening(error)
        }
        let names = Set(files.filter { !$0.isStoredInMemoryOnly }.map { OpenStoreRegistry.name(of: $0.url) })
        openFiles = names.map(OpenFile.init)
        let stores = (store as? StoreView)?.group.members.map(\.store) ?? [store]
        storeIdentifiers = Dictionary(zip(checked.map(\.name), stores.map(\.identifier))) { first, _ in first }
        for file in openFiles { OpenStoreRegistry.add(file, of: self) }
        SaveWatches.register(self)
    }

    deinit { SaveWatches.unregister(ObjectIdentifier(self)) }

    /// Creates a core for one store that is already open.
    init(schema: Schema, store: any Store, configuration: ModelConfiguration) {
        self.schema = schema
        self.store = store
        migrationPlan = nil
        configurations = [configuration]
        hasDataStores = false
        openFiles = []
        storeIdentifiers = [configuration.name: store.identifier]
        let typesByName = schema.modelTypesByName
        modelTypes = store.model.entities.map { typesByName[$0.name].map(ModelType.of) }
        retainedTypes = modelTypes.map { $0.map(Unmanaged.passUnretained) }
        hasConstants = modelTypes.contains { $0?.constants.isEmpty == false }
    }

    /// Logs, once, that the configurations of open stores cannot be replaced.
    func refuseConfigurations() {
        let isFirst = hasRefusedConfigurations.withLock { isRefused in
            defer { isRefused = true }
            return !isRefused
        }
        guard isFirst else { return }
        ModelContext.logger.warning(
            "Setting the configurations of a container has no effect once its stores are open; make another container.")
    }

    /// The group of stores; `nil` for a single SQLite store.
    var group: StoreGroup? { (store as? StoreView)?.group }

    /// All stores, one by one.
    var stores: [any Store] { group?.members.map(\.store) ?? [store] }

    /// The stores that keep a history. Every file that a container created does.
    /// - Throws: `HistoryError.historyNotRecorded` if no store does.
    func storesWithHistory() throws -> [any HistoryRecording] {
        let keeping = stores.compactMap(\.historyRecording)
        guard !keeping.isEmpty else { throw HistoryError.historyNotRecorded(store: store.identifier) }
        return keeping
    }

    /// Passes saved changes to the live contexts: to those of this container at once; those of other containers on the same
    /// file merge them at their next look for changes.
    /// - Parameter sender: The inbox of the context that saved, which has the changes already; `nil` if no context did.
    func post(_ changes: SavedChanges, from sender: Inbox?) {
        guard !changes.isEmpty else { return }
        contexts.post(changes, from: sender)
        notifyNeighbours()
        storesWereSaved()
    }

    /// Wakes other containers and coordinators of the process that have the same files open.
    func notifyNeighbours() { OpenStoreRegistry.notifyNeighbours(of: self, files: Set(openFiles.map(\.name))) }

    /// Wakes the contexts after a save by another container or coordinator. Contexts that cannot be woken look for changes
    /// when they are next used.
    func noticeSaves(in files: Set<String>) {
        saveWatches.pollNow()
        contexts.wake()
    }

    /// Reads the changes that other processes and other containers saved, and posts them to every live context.
    func noticeOthers() {
        do {
            if try postChangesByOthers().isEmpty { return }
            storesWereSaved()
        } catch {
            reportUnread(error)
        }
    }

    /// In the order of polls, unless a store of the program's own is asked: a thread that is in its code may use a context,
    /// and would wait for a poll that waits for the store.
    private func postChangesByOthers() throws -> SavedChanges {
        if hasDataStores {
            let changes = try store.changesByOthers()
            contexts.post(changes, from: nil)
            return changes
        }
        return try pollOrder.poll({ try store.changesByOthers() }, passingTo: { contexts.post($0, from: nil) })
    }

    func reportUnread(_ error: any Error) {
        ModelContext.logger.error("What others saved could not be read. \(String(describing: error))")
    }

    func makeObject(for record: Record) -> AnyObject? {
        retainedTypes[record.entityIndex]?._withUnsafeGuaranteedRef { $0.make(for: record) }
    }

    func modelType(named name: String) -> ModelType? {
        store.model.entity(named: name).flatMap { modelTypes[$0.index] }
    }

    /// Whether the type is the class that the schema was created with. A class of another schema version with the same name
    /// has its values in other slots.
    func isClass(_ type: any PersistentModel.Type, of entity: Entity) -> Bool {
        modelTypes[entity.index].map { ModelType.of(type).isKind(of: $0) } ?? true
    }
}

extension RemoteChangePoller: SavePoller {}

extension ContainerCore {
    /// Makes one poller for each file. Contexts receive what it detects before the watches are notified.
    func makePollers() -> [any SavePoller] {
        if openFiles.isEmpty { return [] }
        return stores.compactMap(\.changePolling).map { store in
            RemoteChangePoller(store, order: pollOrder) { [weak self] changes in
                self?.contexts.post(changes, from: nil)
            } report: { [weak self] result in
                switch result {
                case .success: self?.storesWereSaved()
                case .failure(let error): self?.reportUnread(error)
                }
            }
        }
    }
}
