import ObjectGraph
import StoreSQL

@testable import SQLiteStore

/// Results of stores, as texts that are equal for equal contents.
enum StoreText {
    static func ids(_ ids: some Sequence<ObjectID>) -> String { ids.map(id).joined(separator: " ") }

    static func id(_ id: ObjectID) -> String { "\(id.isTemporary ? "new " : "")\(id.entityName)\(id.key)" }

    static func row(_ row: Snapshot) -> String {
        "\(id(row.id)) v\(row.version) " + row.values.map(value).joined(separator: ",")
    }

    private static func value(_ value: Value) -> String {
        switch value {
        case .reference(let id): self.id(id)
        case .null: "-"
        default: "\(value)"
        }
    }

    static func rows(_ rows: RowSet) -> String { rows.ids.map(id).sorted().joined(separator: " ") }

    static func error(_ error: any Error) -> String {
        switch error {
        case RecoveryError.conflicts(let conflicts): "conflicts \(self.conflicts(conflicts))"
        case DeleteError.refused(let refusals): "refused \(self.refusals(refusals))"
        default: String(reflecting: error)
        }
    }

    // MARK: Saves

    static func changes(_ changes: ChangeSet) -> String {
        let parts: [[String]] = [
            changes.deletions.map { "delete \(id($0.id)) v\($0.expectedVersion)" },
            changes.bulkDelete.map { ["plan \($0.roots)"] } ?? [],
            changes.insertions.map { "insert \(row(Snapshot(id: $0.id, version: 0, values: $0.values)))" },
            changes.updates.map {
                "update \($0.changedSlots) of \(row(Snapshot(id: $0.id, version: $0.expectedVersion, values: $0.values)))"
            },
            changes.links.map {
                "link \(id($0.owner)).\($0.relationshipIndex) +\(ids($0.added)) -\(ids($0.removed)) "
                    + "order \($0.order.map { ids($0) } ?? "none")"
            },
        ]
        return "\(changes.constraints) \(parts.joined().joined(separator: "; "))"
    }

    static func result(_ result: SaveResult) -> String {
        switch result {
        case .conflicts(let conflicts):
            "conflicts "
                + conflicts.map { conflict in
                    "\(id(conflict.id)) v\(conflict.expectedVersion) \(conflict.refersToDeleted) "
                        + (conflict.stored.map(row) ?? "gone")
                }.sorted().joined(separator: "; ")
        case .saved(let saved):
            "inserted \(saved.inserted.map { "\(id($0.id)) v\($0.version) \($0.replaced)" }) "
                + "updated \(saved.updatedVersions) unlinked "
                + "\(saved.adjusted.map { "\(id($0.id)).\($0.relationshipIndex) \($0.destination.map(id) ?? "-") v\($0.version)" }.sorted()) "
                + "planned \(plan(saved.plan)) #\(saved.transactionNumber ?? 0)"
        }
    }

    // MARK: Deletes

    static func plan(_ plan: DeletePlan) -> String {
        "roots \(rows(plan.roots)) deleted \(rows(plan.deleted)) "
            + "reaches \(plan.reaches.map { "\($0.count) \($0.entity) \($0.via?.description ?? "-")" }) "
            + "cleared \(plan.cleared.map { "\($0.name) \($0.space.entityName) \($0.kind) \($0.keys.keys)" }) "
            + "unlinked \(plan.removedJoinRows.map { "\($0.name) \($0.count)" }) refusals \(refusals(plan.refusals))"
    }

    private static func refusals(_ refusals: [DeleteRefusal]) -> String {
        "\(refusals.map { "\($0.reason) \($0.relationship) \($0.count) \(ids($0.examples))" })"
    }

    static func deletion(_ result: SavedRows) -> String {
        "\(plan(result.plan)) #\(result.transactionNumber ?? 0) \(result.token?.description ?? "-")"
    }

    static func dangling(_ links: [DanglingLinks]) -> String {
        links.map { "\($0.name) \($0.count) \(ids($0.examples))" }.sorted().joined(separator: "; ")
    }

    // MARK: Archive

    /// The size of an archived deletion depends on the store.
    static func kept(_ deletes: [ArchivedDelete]) -> String {
        deletes.map {
            "\($0.token) \($0.author ?? "-") \($0.summary): \($0.rowCount) rows, \($0.linkCount) links"
        }.joined(separator: "\n")
    }

    /// Conflicts of one kind are combined, however the store divides them. The choice of examples among many rows is unspecified.
    static func conflicts(_ conflicts: [RestoreConflict]) -> String {
        Dictionary(grouping: conflicts) { "\($0.reason) \($0.entity).\($0.relationship ?? "-")" }
            .map { kind, conflicts in
                let count = conflicts.reduce(0) { $0 + $1.count }
                let areAll = count <= RestoreConflict.exampleCount && conflicts.first?.reason != .joinedRowMissing
                let examples = areAll ? ids(conflicts.flatMap(\.examples).sorted()) : ""
                return "\(kind): \(count) \(examples)"
            }
            .sorted().joined(separator: "; ")
    }

    static func restored(_ result: SavedRows) -> String {
        "restored \(rows(result.restored)) updated \(rows(result.updated)) skipped \(conflicts(result.skipped)) "
            + "#\(result.transactionNumber ?? 0)"
    }

    // MARK: Batches

    static func batch(_ result: SavedRows) -> String {
        "inserted \(rows(result.created)) updated \(rows(result.updated)) ordered \(ids(result.ordered)) "
            + "#\(result.transactionNumber ?? 0)"
    }
}

/// Transactions as texts. The order of changes within one, their numbers and the time are irrelevant.
struct TransactionText {
    let model: Model
    private let columns: [ChangedColumns]

    init(_ model: Model) {
        self.model = model
        columns = model.entities.map { ChangedColumns(entity: $0, model: model) }
    }

    func text(_ transactions: [HistoryTransaction]) -> String {
        transactions.map { transaction in
            "#\(transaction.number) \(transaction.author ?? "-") \(transaction.contextName ?? "-") "
                + transaction.changes.map(text).sorted().joined(separator: "; ")
        }.joined(separator: "\n")
    }

    private func text(_ change: HistoryChange) -> String {
        let kind =
            switch change.kind {
            case .insert: "inserted"
            case .delete(let tombstone): "deleted \(tombstone.values.sorted { $0.key < $1.key })"
            case .update(let changed): "updated \(text(changed, of: change.id))"
            }
        return "\(StoreText.id(change.id)) \(kind)"
    }

    /// As a file can represent it: if the order of several lists is doubtful, it names all of them.
    private func text(_ changed: ChangedProperties, of id: ObjectID) -> String {
        guard let entity = model.entity(named: id.entityName) else { return "?" }
        let columns = columns[entity.index]
        let stored = columns.properties(in: columns.bytes(slots: changed.slots, toMany: changed.toMany))
        return "\(stored.slots) \(stored.toMany)"
    }
}
