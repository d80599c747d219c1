import ObjectGraph
import SQLiteStore

/// Reads a store's history for display. Keeps only a few changes of a transaction in memory, however many there are.
package struct HistoryListing: Sendable {
    private let store: SQLiteStore
    /// The only object to report changes of; `nil` for all.
    private let object: ObjectID?

    /// - Parameter object: limits the listing to transactions that changed this object, and to its changes.
    package init(_ store: SQLiteStore, object: ObjectID? = nil) {
        self.store = store
        self.object = object
    }

    /// A transaction, its numbers of changes, and some of its changes.
    package struct Entry: Sendable {
        /// The transaction without its changes.
        package let transaction: HistoryTransaction
        package let counts: HistoryCounts
        package let changes: [Change]
        /// The same changes with exact values, for JSON.
        package let exact: [Change]
    }

    package struct Change: Sendable {
        package let id: ObjectID
        package let kind: String
        /// Properties that an update changed.
        package let properties: [String]
        /// The number of changed to-many relationships that the file does not identify.
        package let ambiguousCount: Int
        /// Whether further properties may have changed.
        package let mayMissSome: Bool
        /// The tombstone's values of a deleted object.
        package let preserved: [InspectedField]
    }

    // MARK: Transactions

    private var test: HistoryTest { object.map(HistoryTest.changed) ?? .constant(true) }

    /// Returns the next transactions in order, without their changes. An empty array marks the end.
    /// - Parameter number: the last known transaction; 0 starts at the oldest remaining one.
    /// - Throws: `HistoryError`, `SQLiteError`.
    package func transactions(after number: Int64) throws -> [HistoryTransaction] {
        let token = number > 0 ? HistoryToken([store.identifier: number]) : nil
        return try store.history(HistoryQuery(after: token, where: test, .withoutChanges))
    }

    /// Returns the last transactions between two numbers, without their changes, newest first. The transactions with
    /// these two numbers are excluded.
    /// - Throws: `HistoryError`, `SQLiteError`.
    package func newest(
        _ limit: Int, after first: Int64 = 0, before last: Int64 = .max
    ) throws -> [HistoryTransaction] {
        try store.newestHistory(before: last, where: .and([.number(.greater, first), test]), limit: limit)
    }

    /// - Parameters:
    ///   - most: the number of changes to read.
    ///   - skipped: the number of changes to skip before these.
    /// - Throws: `HistoryError`, `SQLiteError`.
    /// - Complexity: Two statements. One of them reads one row for each change, to count the changes.
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

    /// Calls the closure with all changes of a transaction in pages, with exact values.
    /// - Throws: `HistoryError`, `SQLiteError`, and errors of the closure.
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
                id: change.id, kind: "insert", properties: [], ambiguousCount: 0, mayMissSome: false, preserved: [])
        case .update(let properties):
            // If several to-many relationships are possible, none of them is named.
            let certain = ChangedProperties(
                slots: properties.slots, toMany: properties.ambiguousCount > 0 ? [] : properties.toMany)
            return Change(
                id: change.id, kind: "update", properties: entity.map { $0.names(of: certain) } ?? [],
                ambiguousCount: properties.ambiguousCount, mayMissSome: properties.mayMissSome, preserved: [])
        case .delete(let tombstone):
            return Change(
                id: change.id, kind: "delete", properties: [], ambiguousCount: 0, mayMissSome: false,
                preserved: tombstone.values.sorted { $0.key < $1.key }.map {
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

// MARK: JSON

extension HistoryTransaction {
    /// Author and time of the save, without its changes.
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
        if !preserved.isEmpty { fields.append(InspectedField("kept", .fields(preserved))) }
        return .fields(fields)
    }
}

// MARK: Text

extension HistoryTransaction {
    /// Author, context, process and bundle, as far as recorded, without duplicates.
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

    /// Numbers of changes by kind and entity: `12 Item, 1 List`.
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
    /// Describes changed to-many relationships that are not identified.
    package var unnamed: [String] {
        switch ambiguousCount {
        case 0: []
        case 1: ["a to-many relationship"]
        default: ["\(Amounts.count(ambiguousCount)) to-many relationships"]
        }
    }

    /// The properties that an update changed, or the tombstone's values of a deleted object.
    package var detail: String {
        guard kind == "update" else {
            return preserved.map { "\($0.name): \($0.value.cellText)" }.joined(separator: ", ")
        }
        let names = properties + unnamed
        let more = mayMissSome ? (names.isEmpty ? "(properties not known)" : ", …") : ""
        return names.joined(separator: ", ") + more
    }
}
