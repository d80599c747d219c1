/// Several stores that together keep the entities of one model. Stores can be added and removed; several may keep the
/// same entity.
///
/// 1. Each store has the model, or the model restricted to its own entities.
/// 2. A new row is written to the store that it was assigned to, else to the first writable one that keeps its entity.
/// 3. A save, deletion or restore that changes several stores is written in all of them before it is committed in any,
///    so that an error or a conflict in one leaves all unchanged. The commits follow one another: if the process ends
///    or the disk is full between them, one store may be saved and another not.
/// 4. Stores are written in the order of their identifiers, so that two saves cannot deadlock. Program-defined stores
///    are last, because their writes cannot be rolled back.
package final class StoreGroup: Sendable {
    package let model: Model
    private let state: Locked<State>

    package struct Member: Sendable {
        package let store: any Store
        /// The state of the store to read; `nil` for the newest.
        var generation: (any StoreState)?

        var rows: any RowReading { generation ?? store }
        package var identifier: String { store.identifier }
        package func has(_ entity: Entity) -> Bool { store.model.has(entity.index) }
    }

    private struct State {
        var members: [Member] = [] {
            didSet { hasObjectStores = members.contains { $0.store is ObjectStore } }
        }
        private(set) var hasObjectStores = false
        /// The stores that new rows were assigned to, by temporary identity.
        var assigned: [ObjectID: String] = [:]
        var generations: [WeakGenerations] = []

        /// Sets the members in the initializer, so that derived state is correct from the start.
        init(_ members: [Member] = []) {
            self.members = members
            hasObjectStores = members.contains { $0.store is ObjectStore }
        }
    }

    private struct WeakGenerations {
        weak var set: GenerationSet?
    }

    /// Creates a group without stores.
    package init(model: Model) {
        self.model = model
        state = Locked(State())
    }

    /// Creates a group of stores that divide the entities among themselves.
    /// - Throws: `StoreGroupError` unless every entity of the model is in exactly one store.
    package init(model: Model, stores: [any Store]) throws {
        for entity in model.entities {
            let keeping = stores.filter { $0.model.entity(named: entity.name) != nil }
            guard let only = keeping.first else { throw StoreGroupError.entityInNoStore(entity.name) }
            guard keeping.count == 1 else { throw StoreGroupError.entityInSeveralStores(entity.name) }
            guard only.model.entity(named: entity.name)?.index == entity.index else {
                throw StoreGroupError.otherModel(entity.name)
            }
        }
        self.model = model
        state = Locked(State(stores.map { Member(store: $0) }))
    }

    // MARK: Members

    /// The stores in the order in which they were added.
    package var members: [Member] { state.withLock { $0.members } }

    package func member(identifier: String) -> Member? { members.first { $0.identifier == identifier } }

    /// - Returns: `false`, without adding anything, if the group has the store already.
    package func add(_ store: any Store) -> Bool {
        state.withLock { state in
            guard !state.members.contains(where: { $0.identifier == store.identifier }) else { return false }
            state.members.append(Member(store: store))
            return true
        }
    }

    /// Removes a store. Its states that views are pinned to are closed.
    package func remove(identifier: String) {
        change(identifier) { members in members.removeAll { $0.identifier == identifier } }
    }

    /// Replaces a store with another one, without an interval in which neither is in the group.
    package func replace(identifier: String, by store: any Store) {
        change(identifier) { members in
            if let place = members.firstIndex(where: { $0.identifier == identifier }) {
                members[place] = Member(store: store)
            }
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

    /// Whether the group has program-defined stores.
    package var hasObjectStores: Bool { state.withLock { $0.hasObjectStores } }

    /// All identifiers together; does not name a single store.
    package var identifier: String { members.map(\.identifier).sorted().joined(separator: " ") }

    package var isReadOnly: Bool {
        let members = members
        return !members.isEmpty && members.allSatisfy(\.store.isReadOnly)
    }

    // MARK: Assignment

    package func assign(_ id: ObjectID, to identifier: String) {
        state.withLock { $0.assigned[id] = identifier }
    }

    package func discardAssignments(of ids: some Sequence<ObjectID>) {
        state.withLock { state in
            guard !state.assigned.isEmpty else { return }
            for id in ids { state.assigned[id] = nil }
        }
    }

    /// The members and assignments at the time of the call.
    var assignment: StoreAssignments {
        state.withLock { StoreAssignments(members: $0.members, assigned: $0.assigned) }
    }

    /// Returns the store of a row, or the one that a new row will be written to.
    /// - Throws: `StoreGroupError` if there is none.
    package func member(of id: ObjectID, _ entity: Entity) throws -> Member {
        let assignment = assignment
        return assignment.members[try assignment.place(of: id, entity)]
    }

    /// Returns the store of a row, or the one that a new row will be written to; `nil` if there is none.
    package func storeIdentifier(of id: ObjectID) -> String? {
        if let known = id.storeIdentifier { return known }
        guard let entity = model.entity(named: id.entityName) else { return nil }
        do {
            return try member(of: id, entity).identifier
        } catch {
            return nil
        }
    }
}

extension StoreGroup: ChangeWatching {
    package func changesByOthers() throws -> SavedChanges {
        try members.reduce(into: SavedChanges()) { $0.append(try $1.store.changesByOthers()) }
    }
}

/// The store of each row of a group.
struct StoreAssignments {
    let members: [StoreGroup.Member]
    let assigned: [ObjectID: String]

    /// - Returns: A position in `members`.
    func place(of id: ObjectID, _ entity: Entity) throws -> Int {
        if let known = id.storeIdentifier ?? assigned[id] {
            guard let place = members.firstIndex(where: { $0.identifier == known }), members[place].has(entity) else {
                throw StoreGroupError.notInStore(known, entity: entity.name)
            }
            return place
        }
        let candidates = members.indices.filter { members[$0].has(entity) }
        guard let first = candidates.first else { throw StoreGroupError.noStore(entity: entity.name) }
        return candidates.first { !members[$0].store.isReadOnly } ?? first
    }
}

/// Stores that do not cover a model, or changes that they do not accept. Nothing was written.
package enum StoreGroupError: Error, Hashable {
    case entityInNoStore(String)
    case entityInSeveralStores(String)
    /// The entity has another index in the store's model.
    case otherModel(String)
    case unknownEntity(index: Int)
    case noStore(entity: String)
    /// The row is in a store, or was assigned to one, that is not in the group or does not keep the row's entity.
    case notInStore(String, entity: String)
    case readOnly(entities: [String])
}

extension StoreGroupError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .entityInNoStore(let entity): "No store keeps entity '\(entity)'; give it to one of them."
        case .entityInSeveralStores(let entity): "Several stores keep entity '\(entity)'; give it to one of them only."
        case .otherModel(let entity):
            "The store of entity '\(entity)' was opened with another model; restrict the whole model to its entities."
        case .unknownEntity(let index): "The model has no entity number \(index); use the stores' own model."
        case .noStore(let entity): "No store that is open has entity '\(entity)'; add one that does."
        case .notInStore(let store, let entity):
            "No store \(store) with entity '\(entity)' is open; add it, or assign new objects to one that is there."
        case .readOnly(let entities):
            "The store of \(entities.prefix(5).joined(separator: ", ")) was opened for reading only, so nothing was "
                + "saved in any store; discard the changes to these entities, or open their store for writing."
        }
    }
}
