import Foundation
import ObjectGraph
import SQLiteStore

/// The stores of a coordinator as one. Stores come and go; several may have objects of the same entity.
///
/// 1. Fetches ask every store that has the entity; new rows go to the store they were assigned to, else to the first
///    one that has the entity and can be written.
/// 2. A save that changes several stores writes in all of them before it commits in any. Stores are written in the order
///    of their identifiers, so that two saves never wait for each other.
/// 3. A store may know only some of the entities; it is asked in its own numbers.
final class CoordinatorStore: Store {
    let model: Model
    private let state = Locked(State())

    struct Member: Sendable {
        let store: SQLiteStore
        /// `nil` for a store that has all entities.
        let numbers: EntityRenumbering?
        let persistentStore: WeakStore
        /// Whether requests that write many rows are taken.
        let takesBatches: Bool

        func has(_ entity: Entity) -> Bool { numbers == nil || store.model.entity(named: entity.name) != nil }

        func index(_ index: Int) throws -> Int { try numbers?.index(index) ?? index }
        func query(_ query: Query) throws -> Query { try numbers?.query(query) ?? query }
    }

    private struct State {
        var members: [Member] = []
        /// Stores that new objects were assigned to, by temporary identity.
        var assigned: [ObjectID: String] = [:]
    }

    init(model: Model) {
        self.model = model
    }

    // MARK: Members

    /// In the order they were added.
    var members: [Member] { state.withLock { $0.members } }

    func member(identifier: String) -> Member? { members.first { $0.store.identifier == identifier } }

    func add(_ member: Member) {
        state.withLock { $0.members.append(member) }
    }

    func remove(identifier: String) {
        state.withLock { state in state.members.removeAll { $0.store.identifier == identifier } }
    }

    func assign(_ id: ObjectID, to identifier: String) {
        state.withLock { $0.assigned[id] = identifier }
    }

    func forgetAssignments(of ids: some Sequence<ObjectID>) {
        state.withLock { state in
            guard !state.assigned.isEmpty else { return }
            for id in ids { state.assigned[id] = nil }
        }
    }

    /// The store that a new object goes to.
    func member(forNew id: ObjectID, _ entity: Entity) throws -> Member {
        let (members, assigned) = state.withLock { ($0.members, $0.assigned[id]) }
        if let known = id.storeIdentifier ?? assigned {
            guard let member = members.first(where: { $0.store.identifier == known }) else {
                throw CoordinatorStoreError.noStore(entity: entity.name)
            }
            return member
        }
        let candidates = members.filter { $0.has(entity) }
        guard let first = candidates.first else { throw CoordinatorStoreError.noStore(entity: entity.name) }
        return candidates.first { !$0.store.isReadOnly } ?? first
    }

    private func members(with entityIndex: Int) throws -> [Member] {
        guard model.entities.indices.contains(entityIndex) else { return [] }
        let entity = model[entityIndex]
        return members.filter { $0.has(entity) }
    }

    // MARK: Store

    var identifier: String { members.map(\.store.identifier).joined(separator: " ") }

    var isReadOnly: Bool {
        let members = members
        return !members.isEmpty && members.allSatisfy(\.store.isReadOnly)
    }

    func fetch(_ query: Query) throws -> [Snapshot] {
        let members = try members(with: query.entityIndex)
        if members.count < 2 { return try members.first.map { try $0.store.fetch($0.query(query)) } ?? [] }
        var all: [Snapshot] = []
        for member in members { all += try member.store.fetch(member.query(widened(query))) }
        return window(query, try sorted(all, query))
    }

    func fetchIDs(_ query: Query) throws -> [ObjectID] {
        let members = try members(with: query.entityIndex)
        if members.count < 2 { return try members.first.map { try $0.store.fetchIDs($0.query(query)) } ?? [] }
        guard query.sort.isEmpty else { return try fetch(query).map(\.id) }
        var all: [ObjectID] = []
        for member in members { all += try member.store.fetchIDs(member.query(widened(query))) }
        return window(query, all)
    }

    func count(_ query: Query) throws -> Int {
        let members = try members(with: query.entityIndex)
        if members.count < 2 { return try members.first.map { try $0.store.count($0.query(query)) } ?? 0 }
        var whole = query
        (whole.limit, whole.offset) = (nil, 0)
        let count = try members.reduce(0) { try $0 + $1.store.count($1.query(whole)) }
        let rest = max(0, count - max(0, query.offset))
        return query.limit.map { min(rest, max(0, $0)) } ?? rest
    }

    /// Each store gives as many as the whole may need of it.
    private func widened(_ query: Query) -> Query {
        var query = query
        query.limit = query.limit.flatMap { limit in
            let (count, isTooMany) = max(0, limit).addingReportingOverflow(max(0, query.offset))
            return isTooMany ? nil : count
        }
        query.offset = 0
        return query
    }

    private func window<Element>(_ query: Query, _ all: [Element]) -> [Element] {
        let rest = all.dropFirst(max(0, query.offset))
        return Array(query.limit.map { rest.prefix(max(0, $0)) } ?? rest)
    }

    /// Rows of several stores in one order, by what the rows themselves hold.
    /// - Throws: `UntranslatableExpression` for an order by anything else.
    private func sorted(_ snapshots: [Snapshot], _ query: Query) throws -> [Snapshot] {
        if query.sort.isEmpty { return snapshots }
        let slots = try query.sort.map { key -> Int in
            guard case .attribute(.variable(.root), let reference) = key.expression else {
                throw UntranslatableExpression("an order, over several stores, by anything but attributes")
            }
            return reference.slot
        }
        let decorated = snapshots.map { snapshot in
            (snapshot, slots.map { $0 < snapshot.values.count ? snapshot.values[$0] : Value.null })
        }
        return decorated.sorted { query.sort.order($0.1, $1.1) < 0 }.map(\.0)
    }

    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        let members = members
        if members.count == 1, let only = members.first { return try only.store.snapshots(of: ids) }
        let groups = Dictionary(grouping: ids) { $0.storeIdentifier }
        return try members.flatMap { member in
            try groups[member.store.identifier].map { try member.store.snapshots(of: $0) } ?? []
        }
    }

    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        let members = try members(with: entityIndex)
        let groups = members.count < 2 ? [:] : Dictionary(grouping: owners) { $0.storeIdentifier }
        return try members.reduce(into: [:]) { all, member in
            let own = members.count < 2 ? owners : groups[member.store.identifier] ?? []
            guard !own.isEmpty else { return }
            let found = try member.store.members(
                of: relationshipIndex, entityIndex: member.index(entityIndex), owners: own)
            all.merge(found) { first, _ in first }
        }
    }

    func changesByOthers() throws -> SavedChanges {
        try members.reduce(into: SavedChanges()) { $0.append(try $1.store.changesByOthers()) }
    }

    // MARK: Deletes

    // Deletes of sets of rows are asked of the stores themselves, each in a transaction of its own.

    func moment() throws -> StoreMoment? { nil }

    func plan(_ request: DeleteRequest) throws -> DeletePlan { throw CoordinatorStoreError.asOne }
    func cost(of plan: DeletePlan) throws -> DeleteCost { throw CoordinatorStoreError.asOne }
    func delete(_ request: DeleteRequest) throws -> DeleteResult { throw CoordinatorStoreError.asOne }
    func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult {
        throw CoordinatorStoreError.asOne
    }
}

/// A persistent store that may be gone.
struct WeakStore: @unchecked Sendable {
    // Weak references may be read from any thread; the store's own members see to themselves.
    weak var store: NSPersistentStore?
}

/// What a coordinator's stores cannot do.
enum CoordinatorStoreError: Error, Hashable, CustomStringConvertible {
    case noStore(entity: String)
    case readOnly(entity: String)
    /// A delete by query of all stores at once, which no part of this face asks for.
    case asOne

    var description: String {
        switch self {
        case .noStore(let entity): "No store of the coordinator has entity '\(entity)'; add one that does."
        case .readOnly(let entity):
            "Every store that has entity '\(entity)' was opened for reading only; nothing was written."
        case .asOne: "Rows are deleted store by store."
        }
    }

    var code: CocoaError.Code {
        switch self {
        case .noStore: .persistentStoreOperation
        case .readOnly: .persistentStoreSave
        case .asOne: .persistentStoreUnsupportedRequestType
        }
    }
}
