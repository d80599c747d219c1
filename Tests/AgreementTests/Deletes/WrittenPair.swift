@testable import ObjectGraph

@testable import SQLiteStore

/// Versions of rows and history of two stores with equal saves: of one by predicate, of the other by single objects.
///
/// DV105: a row that is edited, and nullified by a delete by predicate in the same save, is written twice: it has one
/// more version, and two changes in the history, which are compared as one.
struct WrittenPair {
    private let planned: SQLiteStore
    private let walked: SQLiteStore
    private var tokens: (HistoryToken?, HistoryToken?)
    /// How many more versions a row has in the first store.
    private var moreVersions: [Place: RowVersion] = [:]

    /// A row, whatever its store.
    private struct Place: Hashable {
        let entity: String
        let key: Int64

        init(_ id: ObjectID) {
            entity = id.space.entityName
            key = id.key
        }
    }

    /// All changes of one row in a transaction.
    private struct Change: Hashable {
        var isInserted = false
        var updates = 0
        var properties: Set<String> = []
        var tombstone: Tombstone?
    }

    init(_ planned: SQLiteStore, _ walked: SQLiteStore) throws {
        self.planned = planned
        self.walked = walked
        tokens = (try planned.historyToken(), try walked.historyToken())
    }

    /// - Parameter saved: The changes of the save in the first store.
    mutating func compare(after saved: SavedChanges) throws {
        let edited = Set(saved.updated.map(\.id) + saved.updatedIDs)
        let twice = Set(saved.bulkDeletes.updated.ids.filter(edited.contains).map(Place.init))
        for place in twice { moreVersions[place, default: 0] += 1 }
        try compareVersions()
        try compareHistory(twice)
    }

    private func compareVersions() throws {
        let (found, expected) = (try versions(in: planned), try versions(in: walked))
        for (place, version) in expected {
            let wanted = version + (moreVersions[place] ?? 0)
            if found[place] != wanted {
                throw Difference(text: "\(place) has version \(found[place] ?? 0), expected \(wanted)")
            }
        }
    }

    private func versions(in store: SQLiteStore) throws -> [Place: RowVersion] {
        var versions: [Place: RowVersion] = [:]
        for entity in store.model.entities where entity.isRoot {
            for row in try store.fetch(Query(entityIndex: entity.index)) { versions[Place(row.id)] = row.version }
        }
        return versions
    }

    private mutating func compareHistory(_ twice: Set<Place>) throws {
        var found = try changes(in: planned, after: &tokens.0)
        let expected = try changes(in: walked, after: &tokens.1)
        for place in twice where found.last?[place] != nil { found[found.count - 1][place]?.updates -= 1 }
        if found == expected { return }
        for (found, expected) in zip(found, expected) where found != expected {
            let places = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
            let texts = places.map { "\($0): \(text(found[$0])), expected \(text(expected[$0]))" }
            throw Difference(text: "history of \(texts)")
        }
        throw Difference(text: "\(found.count) transactions, expected \(expected.count)")
    }

    private func text(_ change: Change?) -> String { change.map { "\($0)" } ?? "nothing" }

    private func changes(in store: SQLiteStore, after token: inout HistoryToken?) throws -> [[Place: Change]] {
        let transactions = try store.history(after: token, limit: 100)
        token = transactions.last?.token ?? token
        return try transactions.map { transaction in
            try transaction.changes.reduce(into: [:]) { changes, change in
                let place = Place(change.id)
                switch change.kind {
                case .insert: changes[place, default: Change()].isInserted = true
                case .update(let properties):
                    guard let entity = store.model.entity(named: place.entity) else {
                        throw Difference(text: "an unknown entity in the history: \(place)")
                    }
                    changes[place, default: Change()].updates += 1
                    changes[place, default: Change()].properties.formUnion(entity.names(of: properties))
                case .delete(let tombstone): changes[place, default: Change()].tombstone = tombstone
                }
            }
        }
    }
}
