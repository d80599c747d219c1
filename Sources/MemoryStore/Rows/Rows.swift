import ObjectGraph

/// The whole content of a store, as one value.
struct Rows: Sendable {
    let model: Model
    let spaces: EntitySpaces

    private(set) var rows: [RowName: Row] = [:]
    /// Links of many-to-many relationships, each once.
    var joins: [Join: JoinPlaces] = [:]
    /// The highest assigned key, by hierarchy.
    private var highestKeys: [Int: Int64] = [:]
    var history: HistoryContents
    /// The archived deletions, the oldest first.
    var archive: [ArchivedContents] = []
    /// The number of transactions so far.
    var writeCount = 0

    init(model: Model, storeIdentifier: String) {
        self.model = model
        history = HistoryContents(of: storeIdentifier)
        spaces = EntitySpaces(model: model, storeIdentifier: storeIdentifier)
    }

    // MARK: Names

    func entity(of space: IDSpace) -> Entity? { spaces.entityIndex(of: space).map { model[$0] } }

    /// Returns the row with an identity, if it exists.
    func name(of id: ObjectID) -> RowName? {
        entity(of: id.space).map { RowName(rootIndex: $0.rootIndex, key: id.key) }
    }

    func id(_ row: Row, _ name: RowName) -> ObjectID { spaces.id(entityIndex: row.entityIndex, key: name.key) }

    /// Returns the identity of an existing row.
    func id(_ name: RowName) -> ObjectID? { rows[name].map { id($0, name) } }

    /// Returns the row that a value refers to, even if it does not exist.
    func name(_ value: Value) -> RowName? {
        if case .reference(let id) = value { name(of: id) } else { nil }
    }

    // MARK: Rows

    subscript(name: RowName) -> Row? {
        get { rows[name] }
        set { rows[name] = newValue }
    }

    /// Whether the row is of the entity or a subentity.
    func isKind(_ row: Row, of entityIndex: Int) -> Bool { model.isKind(row.entityIndex, of: entityIndex) }

    /// Returns rows of an entity and its subentities, in key order.
    func all(_ entityIndex: Int) -> [(name: RowName, row: Row)] {
        rows.filter { isKind($0.value, of: entityIndex) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns a row by an identity of its own entity or of a superentity.
    func snapshot(_ id: ObjectID) -> Snapshot? {
        guard let name = name(of: id), let row = rows[name], let index = spaces.entityIndex(of: id),
            isKind(row, of: index)
        else { return nil }
        return snapshot(row, name)
    }

    func snapshot(_ row: Row, _ name: RowName) -> Snapshot {
        Snapshot(id: id(row, name), version: row.version, values: row.values)
    }

    func set(_ names: some Sequence<RowName>) -> RowSet { RowSet(names.compactMap(id)) }

    // MARK: Keys

    /// Assigns new keys. They are never reused, and increase within a hierarchy. Considers rows inserted with given
    /// keys.
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
