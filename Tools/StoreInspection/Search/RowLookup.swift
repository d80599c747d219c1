import Foundation
import ObjectGraph
import SQLiteStore

/// Finds a row by its address or by words.
package struct RowLookup {
    private let entity: Entity
    private let model: Model
    private let reading: StoreReading

    package enum Found: Sendable, Equatable {
        case one(ObjectID)
        case several([ObjectID])
        case none
    }

    package static let most = 20

    package init(_ entity: Entity, _ model: Model, _ reading: StoreReading) {
        (self.entity, self.model, self.reading) = (entity, model, reading)
    }

    /// - Parameter text: `p12`, `Item/p12`, `Flour (Item/p12)` or words.
    /// - Throws: errors of reading.
    package func find(_ text: String, in store: any Store) throws -> Found {
        if let id = address(text, store) {
            guard let row = try reading.snapshots(of: [id]).first, let own = model.entity(named: row.id.entityName),
                model.isKind(own.index, of: entity.index)
            else { return .none }
            return .one(row.id)
        }
        let rows = try rows(text, in: store)
        if let only = rows.first, rows.count == 1 { return .one(only.id) }
        let labels = try RowLabels(model, reading).labels(of: rows)
        let exact = rows.filter { labels[$0.id]?.lowercased() == text.lowercased() }
        if let only = exact.first, exact.count == 1 { return .one(only.id) }
        return rows.isEmpty ? .none : .several(rows.map(\.id))
    }

    /// Returns the first rows that contain the words, or the first of all rows if there are no words.
    /// - Throws: errors of reading.
    package func rows(_ text: String, in store: any Store) throws -> [Snapshot] {
        var query = Query(
            entityIndex: entity.index, predicate: WordSearch(text)?.expression(on: entity, in: store))
        query.limit = Self.most
        return try reading.fetch(query)
    }

    /// Extracts `Item/p12` from `Flour (Item/p12)`; returns any other text trimmed.
    package static func address(in text: String) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.last == ")", let open = trimmed.lastIndex(of: "(") else { return trimmed }
        let inner = String(trimmed[trimmed.index(after: open)...].dropLast())
        return (try? ObjectAddress(inner)) == nil ? trimmed : inner
    }

    private func address(_ text: String, _ store: any Store) -> ObjectID? {
        let text = Self.address(in: text)
        let isKey = text.first == "p" && text.count > 1 && text.dropFirst().allSatisfy(\.isNumber)
        return try? ObjectAddress(isKey ? "\(entity.name)/\(text)" : text).id(in: store)
    }
}
