import ObjectGraph
import SQLiteStore

/// The history of a store, read to be shown: however much a transaction changed, little of it is in memory at once.
package struct HistoryListing: Sendable {
    private let store: SQLiteStore
    /// Of which only is told; `nil` for all.
    private let object: ObjectID?

    /// - Parameter object: tells only of transactions that changed this one, and of its changes only.
    package init(_ store: SQLiteStore, object: ObjectID? = nil) {
        self.store = store
        self.object = object
    }

    /// A transaction, how much it changed, and some of its changes.
    package struct Entry: Sendable {
        /// Without its changes.
        package let transaction: HistoryTransaction
        package let counts: HistoryCounts
        package let changes: [Change]
        /// The same for programs.
        package let exact: [Change]
    }

    package struct Change: Sendable {
        package let id: ObjectID
        package let kind: String
        /// Properties an update changed.
        package let properties: [String]
        /// How many to-many relationships changed of which the file does not tell which they are.
        package let ambiguousCount: Int
        /// Whether others may have changed too.
        package let mayMissSome: Bool
        /// What is kept of a deleted object.
        package let kept: [InspectedField]
    }

    // MARK: Transactions

    private var test: HistoryTest { object.map(HistoryTest.changed) ?? .constant(true) }

    /// The next transactions in order, without their changes; none only at the end.
    /// - Parameter number: of the last transaction that is known; from 0 on, all there are.
    /// - Throws: `HistoryError`, `SQLiteError`.
    package func transactions(after number: Int64) throws -> [HistoryTransaction] {
        let token = number > 0 ? HistoryToken([store.identifier: number]) : nil
        return try store.history(HistoryQuery(after: token, where: test, .withoutChanges))
    }

    /// The last transactions between two numbers, without their changes, the newest first. Those of the numbers themselves
    /// are not among them.
    /// - Throws: `HistoryError`, `SQLiteError`.
    package func newest(
        _ limit: Int, after first: Int64 = 0, before last: Int64 = .max
    ) throws -> [HistoryTransaction] {
        try store.newestHistory(before: last, where: .and([.number(.greater, first), test]), limit: limit)
    }

    /// - Parameters:
    ///   - most: how many changes to read.
    ///   - skipped: how many to pass over before these.
    /// - Throws: `HistoryError`, `SQLiteError`.
    /// - Complexity: two statements; one reads a row of each change, to count it.
    package func entry(
        _ transaction: HistoryTransaction, changes most: Int, skipping skipped: Int = 0
    ) throws -> Entry {
        let page = HistoryChangePage(of: transaction.number, object: object, skipping: skipped, limit: most)
        let changes = try store.historyChanges(of: page)
        return Entry(
            transaction: transaction, counts: try store.historyCounts(of: transaction.number, object: object),
            changes: named(changes, .people), exact: named(changes, .exact))
    }

    // MARK: Changes

    /// Calls the body with all changes of a transaction, for programs, some at a time.
    /// - Throws: `HistoryError`, `SQLiteError`, and what the body throws.
    package func forEachPage(of transaction: HistoryTransaction, _ body: ([Change]) throws -> Void) throws {
        var page = HistoryChangePage(of: transaction.number, object: object, limit: Self.pageSize)
        while true {
            let changes = try store.historyChanges(of: page)
            guard let last = changes.last else { return }
            try body(named(changes, .exact))
            page.previous = last.number
        }
    }

    private static let pageSize = 1_000

    private func named(_ changes: [HistoryChange], _ style: RowRendering.Style) -> [Change] {
        let rendering = RowRendering(store.model, style)
        return changes.map { named($0, rendering) }
    }

    private func named(_ change: HistoryChange, _ rendering: RowRendering) -> Change {
        let entity = store.model.entity(named: change.id.entityName)
        switch change.kind {
        case .insert:
            return Change(
                id: change.id, kind: "insert", properties: [], ambiguousCount: 0, mayMissSome: false, kept: [])
        case .update(let properties):
            // Of to-many relationships of which any may be meant, none is named.
            let certain = ChangedProperties(
                slots: properties.slots, toMany: properties.ambiguousCount > 0 ? [] : properties.toMany)
            return Change(
                id: change.id, kind: "update", properties: entity.map { $0.names(of: certain) } ?? [],
                ambiguousCount: properties.ambiguousCount, mayMissSome: properties.mayMissSome, kept: [])
        case .delete(let tombstone):
            return Change(
                id: change.id, kind: "delete", properties: [], ambiguousCount: 0, mayMissSome: false,
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
}

// MARK: For programs

extension HistoryTransaction {
    /// Who saved and when, without what changed.
    package var fields: [InspectedField] {
        [
            InspectedField("number", .integer(number)),
            InspectedField("time", .optional(DateText.exact(timestamp))),
            InspectedField("author", .optional(author)),
            InspectedField("context", .optional(contextName)),
            InspectedField("process", .optional(processID)),
            InspectedField("bundle", .optional(bundleID)),
        ]
    }
}

extension HistoryListing.Change {
    package var value: InspectedValue {
        var fields = [InspectedField("kind", .text(kind)), InspectedField("object", .text(id.address))]
        if kind == "update" { fields.append(InspectedField("properties", .texts(properties))) }
        if ambiguousCount > 0 { fields.append(InspectedField("unnamedToMany", .count(ambiguousCount))) }
        if !kept.isEmpty { fields.append(InspectedField("kept", .fields(kept))) }
        return .fields(fields)
    }
}

// MARK: For people

extension HistoryTransaction {
    /// Author, context, process and bundle, as far as they are told, each once.
    package var who: [String] {
        let names = [author, contextName, processID, bundleID]
        return names.compactMap { $0 }.filter { !$0.isEmpty }.reduce(into: []) { who, name in
            if !who.contains(name) { who.append(name) }
        }
    }
}

extension HistoryCounts {
    /// `+3 ~12 -1`.
    package var sums: (inserted: Int, updated: Int, deleted: Int) {
        (inserted.values.reduce(0, +), updated.values.reduce(0, +), deleted.values.reduce(0, +))
    }

    /// How many of each kind there are of each entity: `12 Item, 1 List`.
    package var summary: [(kind: String, text: String)] {
        [("insert", inserted), ("update", updated), ("delete", deleted)].compactMap { kind, counts in
            guard !counts.isEmpty else { return nil }
            let parts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\(Amounts.count($0.value)) \($0.key)" }
            return (kind, parts.joined(separator: ", "))
        }
    }
}

extension HistoryListing.Change {
    /// Of to-many relationships of which it is not known which changed.
    package var unnamed: [String] {
        switch ambiguousCount {
        case 0: []
        case 1: ["a to-many relationship"]
        default: ["\(Amounts.count(ambiguousCount)) to-many relationships"]
        }
    }

    /// What an update changed, or what is kept of a deleted object.
    package var detail: String {
        guard kind == "update" else { return kept.map { "\($0.name): \($0.value.cellText)" }.joined(separator: ", ") }
        let names = properties + unnamed
        let more = mayMissSome ? (names.isEmpty ? "(properties not known)" : ", …") : ""
        return names.joined(separator: ", ") + more
    }
}
