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
        let store: any Store
        /// `nil` for a store that has all entities.
        let numbers: EntityRenumbering?
        let persistentStore: WeakStore
        /// The store, where it takes requests that write many rows.
        let batches: SQLiteStore?
        /// The state of the store to read; `nil` for the newest.
        var generation: StoreGeneration?

        var rows: any RowReading { generation ?? store }
        /// `nil` for a store of the program's own class.
        var sqlite: SQLiteStore? { store as? SQLiteStore }

        func has(_ entity: Entity) -> Bool { numbers == nil || store.model.entity(named: entity.name) != nil }

        func index(_ index: Int) throws -> Int { try numbers?.index(index) ?? index }
        func query(_ query: Query) throws -> Query { try numbers?.query(query) ?? query }
    }

    private struct State {
        var members: [Member] = [] {
            didSet { hasObjectStores = members.contains { $0.store is ObjectStore } }
        }
        private(set) var hasObjectStores = false
        /// Stores that new objects were assigned to, by temporary identity.
        var assigned: [ObjectID: String] = [:]
        var generations: [WeakGenerations] = []
    }

    private struct WeakGenerations {
        weak var set: GenerationSet?
    }

    init(model: Model) {
        self.model = model
    }

    // MARK: Members

    /// In the order they were added.
    var members: [Member] { state.withLock { $0.members } }

    func member(identifier: String) -> Member? { members.first { $0.store.identifier == identifier } }

    /// - Returns: `false`, and nothing is added, where the store is there already.
    func add(_ member: Member) -> Bool {
        state.withLock { state in
            guard !state.members.contains(where: { $0.store.identifier == member.store.identifier }) else {
                return false
            }
            state.members.append(member)
            return true
        }
    }

    /// The states of the store that contexts read are closed with it.
    func remove(identifier: String) {
        change(identifier) { members in members.removeAll { $0.store.identifier == identifier } }
    }

    /// Another store takes the place of one; at no time is there none.
    func replace(identifier: String, by member: Member) {
        change(identifier) { members in
            if let place = members.firstIndex(where: { $0.store.identifier == identifier }) { members[place] = member }
        }
    }

    private func change(_ identifier: String, _ body: (inout [Member]) -> Void) {
        let sets = state.withLock { state in
            body(&state.members)
            return state.generations.compactMap(\.set)
        }
        for set in sets { set.close(identifier) }
    }

    func noteGenerations(_ set: GenerationSet) {
        state.withLock { state in
            state.generations.removeAll { $0.set == nil }
            state.generations.append(WeakGenerations(set: set))
        }
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

    /// The store that an object is in, or goes to when it is new.
    func member(of id: ObjectID, _ entity: Entity) throws -> Member {
        let (members, assigned) = state.withLock { ($0.members, $0.assigned[id]) }
        if let known = id.storeIdentifier ?? assigned {
            guard let member = members.first(where: { $0.store.identifier == known }), member.has(entity) else {
                throw CoordinatorStoreError.notInStore(known, entity: entity.name)
            }
            return member
        }
        let candidates = members.filter { $0.has(entity) }
        guard let first = candidates.first else { throw CoordinatorStoreError.noStore(entity: entity.name) }
        return candidates.first { !$0.store.isReadOnly } ?? first
    }

    /// The store that an object is in, or goes to when it is new; `nil` where there is none for it.
    func storeIdentifier(of id: ObjectID) -> String? {
        if let known = id.storeIdentifier { return known }
        guard let entity = model.entity(named: id.entityName) else { return nil }
        do {
            return try member(of: id, entity).store.identifier
        } catch {
            return nil
        }
    }

    // MARK: Store

    var identifier: String { members.map(\.store.identifier).joined(separator: " ") }

    var isReadOnly: Bool {
        let members = members
        return !members.isEmpty && members.allSatisfy(\.store.isReadOnly)
    }

    var keepsTransients: Bool { false }

    /// Whether stores of a program's own class are among them.
    var hasObjectStores: Bool { state.withLock { $0.hasObjectStores } }

    /// The stores as they are now.
    var rows: CoordinatorRows { CoordinatorRows(model: model, stores: members) }

    func fetch(_ query: Query) throws -> [Snapshot] { try rows.fetch(query) }
    func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try rows.forEachRow(of: query, body)
    }
    func fetchParts(_ query: Query) throws -> [Snapshot]? { try rows.fetchParts(query) }
    func fetchIDs(_ query: Query) throws -> [ObjectID] { try rows.fetchIDs(query) }
    func count(_ query: Query) throws -> Int { try rows.count(query) }
    func groups(_ query: GroupQuery) throws -> [RowGroup]? { try rows.groups(query) }
    func snapshots(of ids: [ObjectID]) throws -> [Snapshot] { try rows.snapshots(of: ids) }

    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        try rows.members(of: relationshipIndex, entityIndex: entityIndex, owners: owners)
    }

    func changesByOthers() throws -> SavedChanges {
        try members.reduce(into: SavedChanges()) { $0.append(try $1.store.changesByOthers()) }
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
    /// An object is in a store, or was assigned to one, that is not there or does not have its entity.
    case notInStore(String, entity: String)
    case readOnly(entity: String)
    /// A store of a program's own class was let go while it was in use.
    case storeIsGone
    /// Such a store is written by a context only.
    case noCaller

    var description: String {
        switch self {
        case .noStore(let entity): "No store of the coordinator has entity '\(entity)'; add one that does."
        case .notInStore(let store, let entity):
            "The coordinator has no store \(store) with entity '\(entity)'; add it, or assign new objects to one that is there."
        case .readOnly(let entity):
            "Every store that has entity '\(entity)' was opened for reading only; nothing was written."
        case .storeIsGone: "The store was removed from its coordinator; add it again."
        case .noCaller: "A store of a class of its own is saved by a context; save one."
        }
    }

    var code: CocoaError.Code {
        switch self {
        case .noStore, .notInStore, .storeIsGone, .noCaller: .persistentStoreOperation
        case .readOnly: .persistentStoreSave
        }
    }
}
