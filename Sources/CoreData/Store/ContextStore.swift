import ObjectGraph
import SQLiteStore

/// A coordinator's stores as one context sees them: at the generation that the context is pinned to, and knowing who asks,
/// which stores of the program's own classes want to be told.
final class ContextStore: StoreView {
    let store: CoordinatorStore
    var viewed: any Store { store }
    private let owner: WeakContext
    private let view = Locked(View.newest)

    private enum View {
        case newest
        /// Pinned with the next read, to what is the newest then.
        case pinnedNext
        case pinned(GenerationSet)
    }

    init(_ store: CoordinatorStore, of context: NSManagedObjectContext) {
        self.store = store
        owner = WeakContext(context: context)
    }

    // MARK: Generations

    /// What the context is pinned to; `nil` when it is not.
    var pin: NSQueryGenerationToken? {
        view.withLock { view in
            switch view {
            case .newest: nil
            case .pinnedNext: .current
            case .pinned(let set): NSQueryGenerationToken(set)
            }
        }
    }

    /// From the next read on, reads are of what is the newest then.
    func pinNext() { view.withLock { $0 = .pinnedNext } }
    func pin(to set: GenerationSet) { view.withLock { $0 = .pinned(set) } }
    func unpin() { view.withLock { $0 = .newest } }

    /// A pinned context moves on to what is the newest at its next read.
    func moveOn() {
        view.withLock { view in
            if case .pinned = view { view = .pinnedNext }
        }
    }

    /// Runs what has to see the newest rows; a pinned context has moved on afterwards.
    func atNewest<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard pin != nil else { return try body() }
        unpin()
        defer { pinNext() }
        return try body()
    }

    private func rows() throws -> CoordinatorRows {
        try view.withLock { view in
            switch view {
            case .newest: return store.rows
            case .pinned(let set): return store.rows(at: set)
            case .pinnedNext:
                let set = try store.currentGenerations()
                view = .pinned(set)
                return store.rows(at: set)
            }
        }
    }

    // MARK: Reading

    func fetch(_ query: Query) throws -> [Snapshot] { try asking { try rows().fetch(query) } }
    func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try asking { try rows().forEachRow(of: query, body) }
    }
    func fetchParts(_ query: Query) throws -> [Snapshot]? { try asking { try rows().fetchParts(query) } }
    func fetchIDs(_ query: Query) throws -> [ObjectID] { try asking { try rows().fetchIDs(query) } }
    func count(_ query: Query) throws -> Int { try asking { try rows().count(query) } }
    func groups(_ query: GroupQuery) throws -> [RowGroup]? { try asking { try rows().groups(query) } }
    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] { try asking { try rows().snapshots(of: ids) } }

    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        try asking { try rows().members(of: relationshipIndex, entityIndex: entityIndex, owners: owners) }
    }

    // MARK: Writing

    func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        try asking { try store.save(changes, beforeCommit: beforeCommit) }
    }

    private func asking<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard store.hasObjectStores, let context = owner.context else { return try body() }
        return try StoreCaller.with(context, body)
    }

    // MARK: As they are

    var identifier: String { store.identifier }
    var model: Model { store.model }
    var isReadOnly: Bool { store.isReadOnly }
    var keepsTransients: Bool { store.keepsTransients }

    func changesByOthers() throws -> SavedChanges { try store.changesByOthers() }
}
