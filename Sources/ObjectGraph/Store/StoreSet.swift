/// Several stores that together keep the entities of one model, each entity in one of them. Every call goes to the
/// store that keeps the entity, or whose identifier an object's identity carries.
///
/// 1. Indexes given to the set are those of the whole model; each store has a model of its own entities and is asked in
///    the indexes of that.
/// 2. A save is refused before anything is written when it changes entities of a read-only store.
/// 3. A save that changes several stores writes in all of them before it commits in any, so that an error or a conflict
///    in one leaves all as they were. The commits themselves follow one another: what ends the process, or fills the
///    disk, just then may leave one store saved and another not.
/// 4. Stores are written in the order of their identifiers, so that two saves never wait for each other; those of a
///    program's own come last, as what they wrote cannot be taken back.
/// 5. Deletes by query pass over stores of a program's own.
package final class StoreSet: Store {
    /// Names no single store.
    package let identifier: String
    package let model: Model
    /// In the order they are written.
    let members: [Member]
    /// Position in `members` by entity index.
    private let placesByEntity: [Int]
    private let placesBySpace: [IDSpace: Int]

    struct Member: Sendable {
        let store: any Store
        let numbers: EntityRenumbering
    }

    /// - Parameter stores: each with a model restricted to its own entities.
    /// - Throws: `StoreSetError` unless every entity of the model is in exactly one of them.
    package init(model: Model, stores: [any Store]) throws {
        let ordered = stores.sorted { left, right in
            (left is ObjectStore ? 1 : 0, left.identifier) < (right is ObjectStore ? 1 : 0, right.identifier)
        }
        let places = try Self.places(model, ordered)
        self.model = model
        members = ordered.map { Member(store: $0, numbers: EntityRenumbering(from: model, to: $0.model)) }
        identifier = ordered.map(\.identifier).joined(separator: " ")
        placesByEntity = places
        placesBySpace = Dictionary(
            zip(model.entities, places).map { entity, place in
                (.intern(storeIdentifier: ordered[place].identifier, entityName: entity.name), place)
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func places(_ model: Model, _ stores: [any Store]) throws -> [Int] {
        try model.entities.map { entity in
            let places = stores.indices.filter { stores[$0].model.entity(named: entity.name) != nil }
            guard let place = places.first else { throw StoreSetError.entityInNoStore(entity.name) }
            guard places.count == 1 else { throw StoreSetError.entityInSeveralStores(entity.name) }
            return place
        }
    }

    package var stores: [any Store] { members.map(\.store) }

    package var isReadOnly: Bool { members.allSatisfy(\.store.isReadOnly) }

    package var keepsTransients: Bool { false }

    // MARK: Reading

    package func fetch(_ query: Query) throws -> [Snapshot] {
        let member = try member(query.entityIndex)
        return try member.store.fetch(member.numbers.query(query))
    }

    package func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        let member = try member(query.entityIndex)
        try member.store.forEachRow(of: member.numbers.query(query), body)
    }

    package func fetchParts(_ query: Query) throws -> [Snapshot]? {
        let member = try member(query.entityIndex)
        return try member.store.fetchParts(member.numbers.query(query))
    }

    package func fetchIDs(_ query: Query) throws -> [ObjectID] {
        let member = try member(query.entityIndex)
        return try member.store.fetchIDs(member.numbers.query(query))
    }

    package func count(_ query: Query) throws -> Int {
        let member = try member(query.entityIndex)
        return try member.store.count(member.numbers.query(query))
    }

    package func groups(_ query: GroupQuery) throws -> [RowGroup]? {
        let member = try member(query.rows.entityIndex)
        return try member.store.groups(member.numbers.groups(query))
    }

    package func snapshots(of ids: [ObjectID]) throws -> [Snapshot] {
        if ids.count == 1, let id = ids.first {
            return try placesBySpace[id.space].map { try members[$0].store.snapshots(of: ids) } ?? []
        }
        var groups: [Int: [ObjectID]] = [:]
        for id in ids {
            if let place = placesBySpace[id.space] { groups[place, default: []].append(id) }
        }
        return try groups.flatMap { place, ids in try members[place].store.snapshots(of: ids) }
    }

    package func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        let member = try member(entityIndex)
        return try member.store.members(
            of: relationshipIndex, entityIndex: member.numbers.index(entityIndex), owners: owners)
    }

    func place(of space: IDSpace) -> Int? { placesBySpace[space] }

    package func changesByOthers() throws -> SavedChanges {
        try members.reduce(into: SavedChanges()) { all, member in all.append(try member.store.changesByOthers()) }
    }

    func member(_ entityIndex: Int) throws -> Member { members[try place(entityIndex)] }

    func place(_ entityIndex: Int) throws -> Int {
        guard placesByEntity.indices.contains(entityIndex) else {
            throw StoreSetError.unknownEntity(index: entityIndex)
        }
        return placesByEntity[entityIndex]
    }
}

/// Stores that do not make up a model, or a change set they cannot take. Nothing was written.
package enum StoreSetError: Error, Hashable {
    case entityInNoStore(String)
    case entityInSeveralStores(String)
    case unknownEntity(index: Int)
    case readOnly(entities: [String])
}

extension StoreSetError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .entityInNoStore(let entity): "No store keeps entity '\(entity)'; give it to one of them."
        case .entityInSeveralStores(let entity): "Several stores keep entity '\(entity)'; give it to one of them only."
        case .unknownEntity(let index): "The model has no entity number \(index); use the stores' own model."
        case .readOnly(let entities):
            "The store of \(entities.prefix(5).joined(separator: ", ")) was opened for reading only, so nothing was "
                + "saved in any store; take back the changes to these entities, or open their store for writing."
        }
    }
}
