/// Several stores that together keep the entities of one model. Stores come and go; several may keep the same entity.
///
/// 1. Each store has the model, or the model restricted to its own entities.
/// 2. A new row goes to the store that it was assigned to, else to the first one that keeps its entity and can be written.
/// 3. A save, a delete or a restore that changes several stores is written in all of them before it is committed in any, so
///    that an error or a conflict in one leaves all as they were. The commits themselves follow one another: what ends the
///    process, or fills the disk, just then may leave one store saved and another not.
/// 4. Stores are written in the order of their identifiers, so that two saves never wait for each other; those of a
///    program's own come last, as what they wrote cannot be taken back.
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
        /// Stores that new rows were assigned to, by temporary identity.
        var assigned: [ObjectID: String] = [:]
        var generations: [WeakGenerations] = []

        /// Sets the members at once, so that it is known what they are.
        init(_ members: [Member] = []) {
            self.members = members
            hasObjectStores = members.contains { $0.store is ObjectStore }
        }
    }

    private struct WeakGenerations {
        weak var set: GenerationSet?
    }

    /// Without stores, which are added.
    package init(model: Model) {
        self.model = model
        state = Locked(State())
    }

    /// Stores that divide the entities among themselves.
    /// - Throws: `StoreGroupError` unless every entity of the model is in exactly one of them.
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

    /// In the order they were added.
    package var members: [Member] { state.withLock { $0.members } }

    package func member(identifier: String) -> Member? { members.first { $0.identifier == identifier } }

    /// - Returns: `false`, and nothing is added, where the store is there already.
    package func add(_ store: any Store) -> Bool {
        state.withLock { state in
            guard !state.members.contains(where: { $0.identifier == store.identifier }) else { return false }
            state.members.append(Member(store: store))
            return true
        }
    }

    /// The states of the store that views read are closed with it.
    package func remove(identifier: String) {
        change(identifier) { members in members.removeAll { $0.identifier == identifier } }
    }

    /// Another store takes the place of one; at no time is there none.
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

    /// Whether stores of a program's own class are among them.
    package var hasObjectStores: Bool { state.withLock { $0.hasObjectStores } }

    /// All identifiers together; names no single store.
    package var identifier: String { members.map(\.identifier).sorted().joined(separator: " ") }

    package var isReadOnly: Bool {
        let members = members
        return !members.isEmpty && members.allSatisfy(\.store.isReadOnly)
    }

    // MARK: Assignment

    package func assign(_ id: ObjectID, to identifier: String) {
        state.withLock { $0.assigned[id] = identifier }
    }

    package func forgetAssignments(of ids: some Sequence<ObjectID>) {
        state.withLock { state in
            guard !state.assigned.isEmpty else { return }
            for id in ids { state.assigned[id] = nil }
        }
    }

    /// The members and assignments of one moment.
    var assignment: StoreAssignments {
        state.withLock { StoreAssignments(members: $0.members, assigned: $0.assigned) }
    }

    /// The store that a row is in, or goes to when it is new.
    /// - Throws: `StoreGroupError` where there is none.
    package func member(of id: ObjectID, _ entity: Entity) throws -> Member {
        let assignment = assignment
        return assignment.members[try assignment.place(of: id, entity)]
    }

    /// The store that a row is in, or goes to when it is new; `nil` where there is none for it.
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

/// Which store each row of a group is in, or goes to.
struct StoreAssignments {
    let members: [StoreGroup.Member]
    let assigned: [ObjectID: String]

    /// - Returns: a position in `members`.
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

/// Stores that do not make up a model, or changes that they cannot take. Nothing was written.
package enum StoreGroupError: Error, Hashable {
    case entityInNoStore(String)
    case entityInSeveralStores(String)
    /// The entity has another index in the store's model.
    case otherModel(String)
    case unknownEntity(index: Int)
    case noStore(entity: String)
    /// A row is in a store, or was assigned to one, that is not there or does not keep its entity.
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
                + "saved in any store; take back the changes to these entities, or open their store for writing."
        }
    }
}
