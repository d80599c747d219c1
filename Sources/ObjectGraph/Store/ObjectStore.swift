import Foundation

/// Adapts a program-defined store class to the engine. Calls are serialized, and queries that the class cannot evaluate
/// are evaluated in memory.
///
/// Such a store has no transaction that could be rolled back. In a save over several stores it is written after all
/// SQLite stores and before these commit.
package final class ObjectStore: Store {
    package let identifier: String
    package let model: Model
    package let isReadOnly: Bool
    package var storesTransients: Bool { false }
    package let rows: any ObjectRows
    /// Recursive, because the class may call its context while it answers.
    private let lock = NSRecursiveLock()

    package init(identifier: String, model: Model, isReadOnly: Bool, rows: any ObjectRows) {
        self.identifier = identifier
        self.model = model
        self.isReadOnly = isReadOnly
        self.rows = rows
    }

    /// Runs a block that calls the rows, exclusively.
    package func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    // MARK: Reading

    package func fetch(_ query: Query) throws -> [Snapshot] {
        try alone {
            switch try rows.answer(to: query) {
            case .exactly(let ids): try rows.snapshots(of: ids.filter { !query.excluded.contains($0) })
            case .rows(let snapshots): snapshots.filter { !query.excluded.contains($0.id) }
            case .candidates(let snapshots): try chosen(from: snapshots, by: query)
            }
        }
    }

    private func chosen(from candidates: [Snapshot], by query: Query) throws -> [Snapshot] {
        try QueryEvaluator(RowObjects(model: model, rows: rows))
            .results(of: query, among: candidates.sorted { $0.id.key < $1.id.key })
    }

    package func forEachRow(of query: Query, _ body: (consuming Snapshot) throws -> Void) throws {
        try forEachFetchedRow(of: query, body)
    }

    package func fetchPartialRows(_ query: Query) throws -> [Snapshot]? { nil }
    package func groups(_ query: GroupQuery) throws -> [RowGroup]? { nil }

    /// Reads values only if the query has to be evaluated in memory.
    package func fetchIDs(_ query: Query) throws -> [ObjectID] {
        try alone {
            if query.excluded.isEmpty, let ids = try rows.identifiers(for: query) { return ids }
            return switch try rows.answer(to: query) {
            case .exactly(let ids): ids.filter { !query.excluded.contains($0) }
            case .rows(let snapshots): snapshots.map(\.id).filter { !query.excluded.contains($0) }
            case .candidates(let snapshots): try chosen(from: snapshots, by: query).map(\.id)
            }
        }
    }

    package func count(_ query: Query) throws -> Int {
        try alone {
            if query.excluded.isEmpty, let count = try rows.count(for: query) { return count }
            return try fetchIDs(query).count
        }
    }

    package func snapshots(of ids: [ObjectID]) throws -> [Snapshot] { try alone { try rows.snapshots(of: ids) } }

    package func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID]
    ) throws -> [ObjectID: [ObjectID]] {
        guard model.has(entityIndex),
            model[entityIndex].relationships.indices.contains(relationshipIndex)
        else { return [:] }
        let relationship = model[entityIndex].relationships[relationshipIndex]
        return try alone {
            try owners.reduce(into: [:]) { $0[$1] = try rows.members(of: relationship, owner: $1) }
        }
    }

    // MARK: Writing

    package func save(_ changes: ChangeSet, beforeCommit: () throws -> Void) throws -> SaveResult {
        guard !isReadOnly else { throw ObjectStoreError.readOnly(store: identifier) }
        return try alone {
            let conflicts = try rows.conflicts(with: changes)
            guard conflicts.isEmpty else { return .conflicts(conflicts) }
            let saved = try rows.write(changes)
            try beforeCommit()
            return .saved(saved)
        }
    }

    package func changesByOthers() throws -> SavedChanges { try alone { try rows.changesByOthers() } }
}

/// Operations that such a store does not support. Nothing was written.
package enum ObjectStoreError: Error, Hashable {
    case readOnly(store: String)
}

extension ObjectStoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .readOnly(let store): "Store \(store) was opened for reading only; nothing was written."
        }
    }
}

/// The rows of such a store for the query evaluator.
private struct RowObjects: QueryObjectSource {
    let model: Model
    let rows: any ObjectRows

    func identifier(of row: Snapshot) -> ObjectID { row.id }

    /// Returns -1 for an entity that the model lacks: no query can name it.
    func entityIndex(of row: Snapshot) -> Int { model.entity(named: row.id.entityName)?.index ?? -1 }

    func value(of row: Snapshot, slot: Int) -> Value { slot < row.values.count ? row.values[slot] : .null }

    private func relationship(_ index: Int, of row: Snapshot) -> EntityRelationship? {
        guard let entity = model.entity(named: row.id.entityName), entity.relationships.indices.contains(index)
        else { return nil }
        return entity.relationships[index]
    }

    func destination(of row: Snapshot, relationship index: Int) throws -> Snapshot? {
        guard let slot = relationship(index, of: row)?.slot, case .reference(let id) = value(of: row, slot: slot)
        else { return nil }
        return try rows.snapshots(of: [id]).first
    }

    func members(of row: Snapshot, relationship index: Int) throws -> [Snapshot] {
        guard let relationship = relationship(index, of: row), !relationship.isToOne else { return [] }
        return try rows.snapshots(of: rows.members(of: relationship, owner: row.id))
    }
}
