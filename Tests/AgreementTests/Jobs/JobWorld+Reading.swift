import Foundation
import ObjectGraph
import StoreSQL

@testable import SQLiteStore

/// The stored rows, in forms that can be compared between two stores of one model.
extension JobWorld {
    func rows(_ sql: String) throws -> [[String]] {
        try store.pool.withReader { connection in
            try connection.withStatement(sql) { statement in
                var rows: [[String]] = []
                while try statement.step() {
                    rows.append(
                        (0..<statement.columnCount).map { column in
                            statement.kind(at: column) == .null
                                ? "-"
                                : statement.kind(at: column) == .blob
                                    ? statement.bytes(at: column).map { String($0) }.joined(separator: ".")
                                    : statement.text(at: column)
                        })
                }
                return rows
            }
        }
    }

    private var entityTables: [String] {
        Set(store.map.entities.map(\.table)).sorted()
    }

    private var joinTables: [String] {
        Set(
            store.map.entities.flatMap(\.toMany).compactMap { storage in
                if case .joinTable(let name, _, _, _)? = storage { name } else { nil }
            }
        ).sorted()
    }

    /// All rows without their versions, and all join rows.
    func contents() throws -> [String: Set<[String]>] {
        var contents: [String: Set<[String]>] = [:]
        for table in entityTables {
            let columns = try rows("SELECT name FROM pragma_table_info('\(table)')").flatMap { $0 }
                .filter { $0 != SystemTables.versionColumn }
            contents[table] = Set(try rows("SELECT \(columns.joined(separator: ", ")) FROM \(table)"))
        }
        for table in joinTables { contents[table] = Set(try rows("SELECT * FROM \(table)")) }
        return contents
    }

    /// By table and key.
    func versions() throws -> [[String]: Int] {
        var versions: [[String]: Int] = [:]
        for table in entityTables {
            let sql = "SELECT \(SystemTables.keyColumn), \(SystemTables.versionColumn) FROM \(table)"
            for row in try rows(sql) { versions[[table, row[0]]] = Int(row[1]) }
        }
        return versions
    }

    /// The rows deleted according to history, once for each such change.
    func deletions() throws -> [[String]] {
        typealias Change = HistoryTables.Change
        return try rows(
            "SELECT \(Change.entity), \(Change.key) FROM \(Change.table) WHERE \(Change.changeType) = 2 ORDER BY 1, 2")
    }

    /// For every existing row that history lists as updated: all its updated properties.
    func updates() throws -> [[String]: [UInt8]] {
        typealias Change = HistoryTables.Change
        let gone = Set(try deletions())
        var updates: [[String]: [UInt8]] = [:]
        let sql =
            "SELECT \(Change.entity), \(Change.key), \(Change.columns) FROM \(Change.table) "
            + "WHERE \(Change.changeType) = 1"
        for row in try rows(sql) where !gone.contains(Array(row.prefix(2))) {
            let bits = row[2].split(separator: ".").compactMap { UInt8($0) }
            let known = updates[Array(row.prefix(2))] ?? bits.map { _ in 0 }
            updates[Array(row.prefix(2))] = zip(known, bits).map { $0 | $1 }
        }
        return updates
    }

    /// Invalid states: keys and join rows of missing rows, and mandatory relationships without a destination.
    func violations() throws -> Set<String> {
        var found: Set<String> = []
        for entity in schema.model.entities {
            let storage = store.map.entities[entity.index]
            let own = "\(SystemTables.entityColumn) = \(storage.entityNumber)"
            for relationship in entity.relationships {
                let destination = store.map.entities[relationship.destinationIndex]
                let place = "\(entity.name).\(relationship.name)"
                if let slot = relationship.slot, let column = storage.columns[slot] {
                    if !relationship.relationship.isOptional {
                        found.formUnion(
                            try keys(storage.table, "\(own) AND \(column.name) IS NULL").map { "\(place) of \($0)" })
                    }
                    let rule = schema.model.inverse(of: relationship)?.relationship.deleteRule
                    if rule == nil || rule == .noAction { continue }
                    found.formUnion(
                        try keys(
                            storage.table,
                            "\(own) AND \(column.name) IS NOT NULL AND \(column.name) NOT IN (SELECT \(SystemTables.keyColumn) FROM \(destination.table))"
                        ).map { "dangling \(place) of \($0)" })
                }
                if case .joinTable(let name, let owner, let member, _)? = storage.toMany[relationship.index] {
                    let stray = try rows(
                        "SELECT * FROM \(name) WHERE "
                            + "\(owner) NOT IN (SELECT \(SystemTables.keyColumn) FROM \(storage.table)) "
                            + "OR \(member) NOT IN (SELECT \(SystemTables.keyColumn) FROM \(destination.table))")
                    found.formUnion(stray.map { "stray \(name) \($0)" })
                }
            }
        }
        return found
    }

    private func keys(_ table: String, _ condition: String) throws -> [String] {
        try rows("SELECT \(SystemTables.keyColumn) FROM \(table) WHERE \(condition)").flatMap { $0 }
    }
}
