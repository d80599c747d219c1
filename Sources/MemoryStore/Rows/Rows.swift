import ObjectGraph

/// The whole content of a store, as one value.
struct Rows: Sendable {
    let model: Model
    let spaces: EntitySpaces

    private(set) var rows: [RowName: Row] = [:]
    /// Links of many-to-many relationships, as seen from both ends; once if the relationship is its own inverse.
    var joins: Set<Link> = []
    /// The positions of members in ordered lists. Those of deleted members stay for a restore.
    var positions: [Link: Int64] = [:]
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
        return Snapshot(id: self.id(row, name), version: row.version, values: row.values)
    }

    func set(_ names: some Sequence<RowName>) -> RowSet { RowSet(names.compactMap(id)) }

    /// Sets a value that a save may set. A row that leaves its owner loses its position in the owner's list; a new
    /// owner assigns one.
    /// - Throws: `ChangeSetError.unknownReference`.
    mutating func put(_ value: Value, in slot: Int, of row: inout Row, _ name: RowName) throws {
        let entity = model[row.entityIndex]
        guard entity.storedSlots.contains(slot) else { return }
        if case .reference(let id) = value, spaces.entityIndex(of: id) == nil {
            throw ChangeSetError.unknownReference(
                entity: entity.name, property: entity.propertyName(ofSlot: slot), id: id)
        }
        if case .toOne(let index) = entity.slots[slot] { leaveList(entity.relationships[index], row, name) }
        row.values[slot] = value
    }

    // MARK: Uniqueness

    /// Returns a constraint that a row violates, and the row with equal values. That row may be of another entity of
    /// the hierarchy.
    func clash(of row: Row, _ name: RowName) -> (constraint: UniqueConstraint, other: RowName)? {
        for constraint in model.uniqueConstraints(inHierarchyOf: model[row.entityIndex]) {
            let equal = key(row, constraint).flatMap { rows(with: $0, of: constraint).first { $0.name != name } }
            if let equal { return (constraint, equal.name) }
        }
        return nil
    }

    func rows(with key: [ValueKey], of constraint: UniqueConstraint) -> [(name: RowName, row: Row)] {
        all(constraint.entityIndex).filter { self.key($0.row, constraint) == key }
    }

    /// Returns the unique values of a row; `nil` for a row to which the constraint does not apply.
    func key(_ row: Row, _ constraint: UniqueConstraint) -> [ValueKey]? {
        guard isKind(row, of: constraint.entityIndex) else { return nil }
        return constraint.values { row.values[$0] }?.map(ValueKey.init)
    }

    // MARK: Keys

    /// Returns identities with new keys. They are never reused, and increase within a hierarchy. Considers rows inserted
    /// with given keys.
    mutating func newIDs(_ count: Int, _ entityIndex: Int) throws -> [ObjectID] {
        let root = model[entityIndex].rootIndex
        let used = rows.keys.lazy.filter { $0.rootIndex == root }.map(\.key).max() ?? 0
        let highest = max(highestKeys[root] ?? 0, used)
        let (last, overflow) = highest.addingReportingOverflow(Int64(count))
        guard !overflow, last < .max else { throw ChangeSetError.keysExhausted(table: model[root].name) }
        highestKeys[root] = last
        return (highest..<last).map { spaces.id(entityIndex: entityIndex, key: $0 + 1) }
    }
}
