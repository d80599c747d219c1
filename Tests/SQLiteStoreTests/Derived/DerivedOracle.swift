import ObjectGraph

@testable import SQLiteStore

/// Expected values of derived attributes, computed in memory from rows and members, one by one.
struct DerivedOracle {
    private let store: SQLiteStore
    private let rows: [Place: Snapshot]

    /// Keys are unique within a hierarchy.
    private struct Place: Hashable {
        let rootIndex: Int
        let key: Int64
    }

    init(_ store: SQLiteStore) throws {
        self.store = store
        var rows: [Place: Snapshot] = [:]
        for entity in store.model.entities where entity.isRoot {
            for row in try store.fetch(Query(entityIndex: entity.index)) {
                rows[Place(rootIndex: entity.index, key: row.id.key)] = row
            }
        }
        self.rows = rows
    }

    /// Values that differ from the expected ones, for messages.
    func differences() throws -> [String] {
        try values { row, attribute, derived in
            let (wanted, stored) = (try value(derived, of: row), row.values[attribute.slots.lowerBound])
            guard !Self.areSame(wanted, stored), try !isOwnMember(row, derived) else { return nil }
            return "\(row.id).\(attribute.name) (\(attribute.attribute.derivation ?? "")): \(stored), not \(wanted)"
        }.sorted()
    }

    /// Whether a row that counts members is one of them.
    func hasOwnMembers() throws -> Bool {
        try !values { row, _, derived in try isOwnMember(row, derived) ? true : nil }.isEmpty
    }

    private func values<Result>(
        _ body: (Snapshot, EntityAttribute, DerivedValue) throws -> Result?
    ) throws -> [Result] {
        try rows.values.flatMap { row -> [Result] in
            guard let entity = store.model.entity(named: row.id.entityName) else { return [] }
            return try entity.attributes.filter(\.attribute.isDerived).compactMap { attribute in
                try body(row, attribute, try store.model.derivedValue(of: attribute, entity))
            }
        }
    }

    /// Apple's triggers count a row twice that is saved as a member of its own, and ours are identical.
    private func isOwnMember(_ row: Snapshot, _ derived: DerivedValue) throws -> Bool {
        guard derived.kind == .count, derived.hops.count == 1 else { return false }
        return try members(derived.hops[0], of: [row]).contains { $0.id.key == row.id.key }
    }

    /// Reals are added in any order.
    private static func areSame(_ one: Value, _ other: Value) -> Bool {
        guard case .real(let a) = one, case .real(let b) = other else { return one == other }
        return abs(a - b) <= 1e-9 * max(1, abs(a))
    }

    private func value(_ derived: DerivedValue, of row: Snapshot) throws -> Value {
        let reached = try derived.hops.reduce([row]) { try members($1, of: $0) }
        let values = derived.source.map { source in
            reached.map { $0.values[source.attribute.slots.lowerBound + source.position] }
        }
        switch derived.kind {
        case .now: return .null
        case .count: return .integer(Int64(reached.count))
        case .sum: return sum(values ?? [], derived.source?.leaf.type ?? .double)
        case .value(let change):
            let value = values?.first ?? .null
            return change?.apply([value]) ?? value
        }
    }

    private func sum(_ values: [Value], _ type: AttributeType) -> Value {
        var (whole, real) = (Int64(0), 0.0)
        for value in values {
            if case .integer(let number) = value { whole += number }
            if case .real(let number) = value { real += number }
        }
        return type == .double ? .real(real) : .integer(whole)
    }

    private func members(_ relationship: EntityRelationship, of rows: [Snapshot]) throws -> [Snapshot] {
        let root = store.model[relationship.destinationIndex].rootIndex
        return try rows.flatMap { row -> [Snapshot] in
            let ids: [ObjectID]
            if let slot = relationship.slot {
                if case .reference(let id) = row.values[slot] { ids = [id] } else { ids = [] }
            } else {
                let entity = store.model.entity(named: row.id.entityName)?.index ?? 0
                ids = try store.members(of: relationship.index, entityIndex: entity, owners: [row.id])[row.id] ?? []
            }
            return ids.compactMap { self.rows[Place(rootIndex: root, key: $0.key)] }
        }
    }
}
