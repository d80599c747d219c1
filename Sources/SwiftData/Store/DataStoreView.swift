import ObjectGraph

/// A container's stores as one context sees them: stores of a program's own are told which context asks, whatever makes it
/// ask.
final class DataStoreView: StoreView {
    private let store: any Store
    var viewed: any Store { store }
    private let owner = Locked(WeakContext())

    private struct WeakContext: @unchecked Sendable {
        // Asked for on the thread that uses the context, as all calls of its graph are.
        weak var context: ModelContext?
    }

    init(_ store: any Store) {
        self.store = store
    }

    func belong(to context: ModelContext) { owner.withLock { $0.context = context } }

    private func asking<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let context = owner.withLock({ $0.context }) else { return try body() }
        return try context.asking(body)
    }

    // MARK: Reading

    func fetch(_ query: Query) throws -> [Snapshot] { try asking { try store.fetch(query) } }
    func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try asking { try store.forEachRow(of: query, body) }
    }
    func fetchParts(_ query: Query) throws -> [Snapshot]? { try asking { try store.fetchParts(query) } }
    func groups(_ query: GroupQuery) throws -> [RowGroup]? { try asking { try store.groups(query) } }
    func fetchIDs(_ query: Query) throws -> [ObjectID] { try asking { try store.fetchIDs(query) } }
    func count(_ query: Query) throws -> Int { try asking { try store.count(query) } }
    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] { try asking { try store.snapshots(of: ids) } }

    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        try asking { try store.members(of: relationshipIndex, entityIndex: entityIndex, owners: owners) }
    }

    // MARK: Writing

    func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        try asking { try store.save(changes, beforeCommit: beforeCommit) }
    }

    // MARK: As they are

    var identifier: String { store.identifier }
    var model: Model { store.model }
    var isReadOnly: Bool { store.isReadOnly }
    var keepsTransients: Bool { store.keepsTransients }
    func changesByOthers() throws -> SavedChanges { try store.changesByOthers() }
}
