import ObjectGraph
import SQLiteStore

/// A transaction of the history with its changes by name.
package struct HistoryListing: Sendable {
    package let transaction: HistoryTransaction
    private let model: Model

    package init(_ transaction: HistoryTransaction, in model: Model) {
        self.transaction = transaction
        self.model = model
    }

    package struct Change: Sendable {
        package let id: ObjectID
        package let kind: String
        /// Properties an update changed.
        package let properties: [String]
        /// Whether others may have changed too.
        package let mayMissSome: Bool
        /// What is kept of a deleted object.
        package let kept: [InspectedField]
    }

    /// For people.
    package var changes: [Change] { changes(.people) }

    package func changes(_ style: RowRendering.Style) -> [Change] {
        let rendering = RowRendering(model, style)
        return transaction.changes.map { change($0, rendering) }
    }

    private func change(_ change: HistoryChange, _ rendering: RowRendering) -> Change {
        let entity = model.entity(named: change.id.entityName)
        switch change.kind {
        case .insert: return Change(id: change.id, kind: "insert", properties: [], mayMissSome: false, kept: [])
        case .update(let properties):
            return Change(
                id: change.id, kind: "update", properties: entity.map { $0.names(of: properties) } ?? [],
                mayMissSome: properties.mayMissSome, kept: [])
        case .delete(let tombstone):
            return Change(
                id: change.id, kind: "delete", properties: [], mayMissSome: false,
                kept: tombstone.values.sorted { $0.key < $1.key }.map {
                    InspectedField($0.key, value($0.value, $0.key, entity, rendering))
                })
        }
    }

    private func value(
        _ value: Value, _ name: String, _ entity: Entity?, _ rendering: RowRendering
    ) -> InspectedValue {
        guard let attribute = entity?.attribute(named: name)?.attribute else {
            return rendering.value(value, Attribute(name, .string))
        }
        return rendering.value(value, attribute)
    }

    /// `+3 ~12 -1`.
    package var counts: (inserted: Int, updated: Int, deleted: Int) {
        transaction.changes.reduce(into: (0, 0, 0)) { sum, change in
            switch change.kind {
            case .insert: sum.0 += 1
            case .update: sum.1 += 1
            case .delete: sum.2 += 1
            }
        }
    }

    package var value: InspectedValue {
        .fields([
            InspectedField("number", .integer(transaction.number)),
            InspectedField("time", .optional(DateText.exact(transaction.timestamp))),
            InspectedField("author", .optional(transaction.author)),
            InspectedField("context", .optional(transaction.contextName)),
            InspectedField("process", .optional(transaction.processID)),
            InspectedField("bundle", .optional(transaction.bundleID)),
            InspectedField("changes", .list(changes(.exact).map(value))),
        ])
    }

    private func value(_ change: Change) -> InspectedValue {
        var fields = [InspectedField("kind", .text(change.kind)), InspectedField("object", .text(change.id.address))]
        if change.kind == "update" { fields.append(InspectedField("properties", .texts(change.properties))) }
        if !change.kept.isEmpty { fields.append(InspectedField("kept", .fields(change.kept))) }
        return .fields(fields)
    }
}

// MARK: For people

extension HistoryListing {
    /// Author, context, process and bundle, as far as they are told, each once.
    package var who: [String] {
        let names = [transaction.author, transaction.contextName, transaction.processID, transaction.bundleID]
        return names.compactMap { $0 }.filter { !$0.isEmpty }.reduce(into: []) { who, name in
            if !who.contains(name) { who.append(name) }
        }
    }

    /// Of many changes, how many of each kind there are of each entity: `12 Item, 1 List`.
    package static func summary(_ changes: [Change]) -> [(kind: String, text: String)] {
        ["insert", "update", "delete"].compactMap { kind in
            let groups = Dictionary(grouping: changes.filter { $0.kind == kind }, by: \.id.entityName)
            guard !groups.isEmpty else { return nil }
            let counts = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
                .map { "\(Amounts.count($0.value.count)) \($0.key)" }
            return (kind, counts.joined(separator: ", "))
        }
    }
}

extension HistoryListing.Change {
    /// What an update changed, or what is kept of a deleted object.
    package var detail: String {
        guard kind == "update" else { return kept.map { "\($0.name): \($0.value.cellText)" }.joined(separator: ", ") }
        let more = mayMissSome ? (properties.isEmpty ? "(properties not known)" : ", …") : ""
        return properties.joined(separator: ", ") + more
    }
}
