import Foundation
import ObjectGraph

@testable import SQLiteStore

/// The values of a store's rows, by entity, key and property: texts to compare, independent of the tables.
struct LogicalRows: Equatable {
    /// By property: values as texts, references as `Entity/key`, members in their order or sorted.
    typealias Row = [String: String]

    var rows: [String: [Int64: Row]] = [:]

    init(_ store: SQLiteStore) throws {
        for entity in store.model.entities {
            let snapshots = try store.fetch(Query(entityIndex: entity.index)).filter { $0.id.entityName == entity.name }
            var found: [Int64: Row] = [:]
            for snapshot in snapshots { found[snapshot.id.key] = Self.values(entity, snapshot) }
            for relationship in entity.toManyRelationships where !snapshots.isEmpty {
                let members = try store.members(
                    of: relationship.index, entityIndex: entity.index, owners: snapshots.map(\.id))
                for snapshot in snapshots {
                    let names = (members[snapshot.id] ?? []).map(Self.name)
                    let isOrdered = relationship.relationship.isOrdered
                    found[snapshot.id.key]?[relationship.name] =
                        (isOrdered ? names : names.sorted()).joined(separator: " ")
                }
            }
            rows[entity.name] = found
        }
    }

    private static func values(_ entity: Entity, _ snapshot: Snapshot) -> Row {
        var row: Row = [:]
        for slot in entity.slots.indices {
            row[entity.propertyName(ofSlot: slot)] = text(snapshot.values[slot])
        }
        return row
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .null: "-"
        case .integer(let number): "\(number)"
        case .real(let number): number == number.rounded() ? "\(Int64(number))" : "\(number)"
        case .text(let text): "'\(text)'"
        case .bytes(let data): "\(data.count):\(data.prefix(8).map { String($0) }.joined(separator: "."))"
        case .uuid(let uuid): uuid.uuidString
        case .decimal(let number): "\(number)"
        case .reference(let id): name(id)
        }
    }

    private static func name(_ id: ObjectID) -> String { "\(id.entityName)/\(id.key)" }

    /// The differences, for messages.
    func difference(from other: LogicalRows) -> String {
        var lines: [String] = []
        for entity in Set(rows.keys).union(other.rows.keys).sorted() {
            let (mine, others) = (rows[entity] ?? [:], other.rows[entity] ?? [:])
            for key in Set(mine.keys).union(others.keys).sorted() where mine[key] != others[key] {
                let names = Set((mine[key] ?? [:]).keys).union((others[key] ?? [:]).keys).sorted()
                for name in names where mine[key]?[name] != others[key]?[name] {
                    lines.append(
                        "\(entity)/\(key).\(name): \(mine[key]?[name] ?? "none") for \(others[key]?[name] ?? "none")")
                }
            }
        }
        return lines.joined(separator: "\n")
    }
}
