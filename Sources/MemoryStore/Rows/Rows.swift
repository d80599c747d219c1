import ObjectGraph

/// Everything that a store holds, as one value.
struct Rows: Sendable {
    let model: Model
    let storeIdentifier: String
    /// By entity, in the model's order.
    let spaces: [IDSpace]
    private let entityIndexes: [IDSpace: Int]

    private(set) var rows: [RowName: Row] = [:]
    /// Links of many-to-many relationships, each once.
    var joins: [Join: JoinPlaces] = [:]
    /// The highest key that was given out, by hierarchy.
    private var highestKeys: [Int: Int64] = [:]
    var history = History()
    /// The oldest first.
    var archive: [ArchivedDelete] = []
    /// How many transactions there were.
    var writeCount = 0

    init(model: Model, storeIdentifier: String) {
        self.model = model
        self.storeIdentifier = storeIdentifier
        spaces = model.entities.map { .intern(storeIdentifier: storeIdentifier, entityName: $0.name) }
        entityIndexes = Dictionary(spaces.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Names

    /// Index of the entity that a row's identity names; `nil` for temporary and foreign identities.
    func entityIndex(of id: ObjectID) -> Int? { entityIndexes[id.space] }

    func entity(of space: IDSpace) -> Entity? { entityIndexes[space].map { model[$0] } }

    /// Where the row of an identity is, if there is one.
    func name(of id: ObjectID) -> RowName? {
        entity(of: id.space).map { RowName(rootIndex: $0.rootIndex, key: id.key) }
    }

    func id(_ row: Row, _ name: RowName) -> ObjectID { ObjectID(space: spaces[row.entityIndex], key: name.key) }

    /// The identity of a row that is there.
    func id(_ name: RowName) -> ObjectID? { rows[name].map { id($0, name) } }

    /// The row whose key a value holds, whether it is there or not.
    func name(_ value: Value) -> RowName? {
        if case .reference(let id) = value { name(of: id) } else { nil }
    }

    // MARK: Rows

    subscript(name: RowName) -> Row? {
        get { rows[name] }
        set { rows[name] = newValue }
    }

    /// Whether the row is of the entity or one below it.
    func isKind(_ row: Row, of entityIndex: Int) -> Bool { model.isKind(row.entityIndex, of: entityIndex) }

    /// Rows of an entity and of those below it, in key order.
    func all(_ entityIndex: Int) -> [(name: RowName, row: Row)] {
        rows.filter { isKind($0.value, of: entityIndex) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// A row answers to its own entity and to those above it.
    func snapshot(_ id: ObjectID) -> Snapshot? {
        guard let name = name(of: id), let row = rows[name], let index = entityIndex(of: id), isKind(row, of: index)
        else { return nil }
        return snapshot(row, name)
    }

    func snapshot(_ row: Row, _ name: RowName) -> Snapshot {
        Snapshot(id: id(row, name), version: row.version, values: row.values)
    }

    func set(_ names: some Sequence<RowName>) -> RowSet { RowSet(names.compactMap(id)) }

    // MARK: Keys

    /// Keys are never given out twice, and rise within a hierarchy. Rows may have come with keys of their own.
    mutating func newKeys(_ count: Int, _ entityIndex: Int) throws -> Range<Int64> {
        let root = model[entityIndex].rootIndex
        let used = rows.keys.lazy.filter { $0.rootIndex == root }.map(\.key).max() ?? 0
        let highest = max(highestKeys[root] ?? 0, used)
        let (last, overflow) = highest.addingReportingOverflow(Int64(count))
        guard !overflow, last < .max else { throw ChangeSetError.keysExhausted(table: model[root].name) }
        highestKeys[root] = last
        return highest + 1..<last + 1
    }
}

/// A row's place: its key is unique in the hierarchy of its entity, whatever entity of it a reference names.
struct RowName: Sendable, Hashable, Comparable {
    /// Of the topmost entity.
    let rootIndex: Int
    let key: Int64

    static func < (first: RowName, second: RowName) -> Bool {
        (first.rootIndex, first.key) < (second.rootIndex, second.key)
    }
}

/// One row.
struct Row: Sendable {
    let entityIndex: Int
    var version: RowVersion = 1
    /// In slot order; to-one relationships as references.
    var values: SlotValues
    /// The owner along each to-many relationship without inverse: its members have one owner, and nothing else tells of it.
    var owners: [RelationshipPlace: ObjectID] = [:]
    /// The row's place in ordered lists that it is a member of by a reference, its own or that to an owner.
    var places: [RelationshipPlace: Int64] = [:]
}

/// A link of a many-to-many relationship.
struct Join: Sendable, Hashable {
    /// Of the two ends, that which comes first.
    let relationship: RelationshipPlace
    let owner: RowName
    let member: RowName
}

/// The places of a link's ends in ordered lists.
struct JoinPlaces: Sendable {
    /// The member's, in the owner's list.
    var ofMember: Int64?
    /// The owner's, in the member's list.
    var ofOwner: Int64?
}

extension EntityRelationship {
    /// The same for the entity that declares it and for those below that inherit it.
    var place: RelationshipPlace { RelationshipPlace(entityIndex: declaringIndex, index: index) }
}
