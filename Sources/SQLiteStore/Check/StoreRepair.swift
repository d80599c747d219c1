import Foundation
import ObjectGraph
import StoreSQL

/// Carries out a repair plan within the caller's transaction. As in a save, changed rows get a higher version and, if the
/// store keeps history, are recorded there.
struct StoreRepair {
    private let runner: SaveRunner
    private let layout: CheckLayout
    private let connection: Connection
    private var keys = KeyAllocator()
    private var changes: [ObjectID: ChangedProperties] = [:]
    private var deletions: [ObjectID] = []
    private var result = StoreRepairResult()

    private struct ChangedProperties {
        var slots: Set<Int> = []
        var toMany: Set<Int> = []
    }

    init(runner: SaveRunner, connection: Connection) {
        self.runner = runner
        self.connection = connection
        layout = CheckLayout(runner.map)
    }

    /// Runs all steps except the removal of files, which follows the commit.
    /// - Throws: `StoreRepairError.outdatedPlan`, `ChangeSetError`, `SQLiteError`.
    mutating func run(_ plan: StoreRepairPlan) throws -> StoreRepairResult {
        for step in plan.steps { try run(step) }
        for row in deletions { changes[row] = nil }
        result.changedRows = changes.count
        result.deletedRows = deletions.count
        try record()
        try delete()
        return result
    }

    private mutating func run(_ step: StoreRepairStep) throws {
        switch step.action {
        case .clearKeys(let rows): try clear(try key(step), rows)
        case .renameDestinations(let rows): try rename(try key(step), rows)
        case .completeLinks(let links): try complete(try key(step), links)
        case .placeMembers(let places): try place(step, places)
        case .addMembers(let links): try add(step, links)
        case .deleteJoinRows(let rows): try delete(step, rows)
        case .recompute(let rows): try recompute(step, rows)
        case .deleteRows(let rows): deletions += rows
        case .raiseCounter(let number, let highest): try raise(step.entity ?? "", number, to: highest)
        case .removeFiles: break
        }
    }

    private func key(_ step: StoreRepairStep) throws -> StoredKey {
        guard let key = layout.key(entity: step.entity ?? "", property: step.property ?? "") else {
            throw StoreRepairError.outdatedPlan
        }
        return key
    }

    // MARK: Keys

    private mutating func clear(_ key: StoredKey, _ rows: [ObjectID]) throws {
        let columns = [key.column, key.numberColumn, key.orderColumn].compactMap { $0 }
        try update(key.table, columns.map { "\($0) = NULL" }.joined(separator: ", "), rows)
        note(key, rows)
    }

    private mutating func rename(_ key: StoredKey, _ rows: [ObjectID]) throws {
        guard let number = key.numberColumn else { return }
        let found =
            "(SELECT t.\(SystemTables.entityColumn) FROM \(key.targetTable) t "
            + "WHERE t.\(SystemTables.keyColumn) = \(key.table).\(key.column))"
        try update(key.table, "\(number) = \(found)", rows)
        note(key, rows)
    }

    private mutating func complete(_ key: StoredKey, _ links: [StoreRepairStep.Link]) throws {
        let number = key.numberColumn.map { ", \($0) = ?3" } ?? ""
        let sql =
            "UPDATE \(key.table) SET \(key.column) = ?2\(number) WHERE \(SystemTables.keyColumn) = ?1"
        try connection.withStatement(sql) { statement in
            for link in links {
                try statement.bind(link.row.key, at: 1)
                try statement.bind(link.destination.key, at: 2)
                if key.numberColumn != nil {
                    let entity = runner.spaces.entityIndex(of: link.destination).map { runner.map.entities[$0] }
                    try statement.bind(Int64(entity?.entityNumber ?? 0), at: 3)
                }
                try statement.run()
            }
        }
        note(key, links.map(\.row))
    }

    /// Notes a changed key for versions and history. A key that exists only for a to-many relationship is no property of
    /// its row, which counts as unchanged.
    private mutating func note(_ key: StoredKey, _ rows: [ObjectID]) {
        guard let slot = key.relationship.slot else { return }
        for row in rows { changes[row, default: ChangedProperties()].slots.insert(slot) }
    }

    private func update(_ table: String, _ assignments: String, _ rows: [ObjectID]) throws {
        try forRows("UPDATE \(table) SET \(assignments)", SystemTables.keyColumn, rows.map(\.key))
    }

    /// - Parameter sql: The statement up to its condition.
    private func forRows(_ sql: String, _ column: String, _ keys: [Int64]) throws {
        let condition = "WHERE \(column) IN (SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?))"
        try connection.withStatement("\(sql) \(condition)") { statement in
            try statement.bind(ValueList(keys), at: 1)
            try statement.run()
        }
    }

    // MARK: Members

    private func members(_ step: StoreRepairStep) throws -> StoredMembers {
        let found = layout.members.first { $0.entity.name == step.entity && $0.relationship.name == step.property }
        guard let found else { throw StoreRepairError.outdatedPlan }
        return found
    }

    private mutating func add(_ step: StoreRepairStep, _ links: [StoreRepairStep.Link]) throws {
        let members = try members(step)
        guard case .joinTable(let table, let owner, let member, _) = members.storage else {
            throw StoreRepairError.outdatedPlan
        }
        try connection.withStatement("INSERT OR IGNORE INTO \(table) (\(owner), \(member)) VALUES (?1, ?2)") {
            statement in
            for link in links {
                try statement.bind(link.row.key, at: 1)
                try statement.bind(link.destination.key, at: 2)
                try statement.run()
            }
        }
        for link in links {
            changes[link.row, default: ChangedProperties()].toMany.insert(members.relationship.index)
        }
    }

    private mutating func place(_ step: StoreRepairStep, _ places: [StoreRepairStep.Place]) throws {
        let members = try members(step)
        guard let order = members.orderColumn else { throw StoreRepairError.outdatedPlan }
        let (table, owner, member) =
            switch members.storage {
            case .foreignKey(let table, let column, _, _, _): (table, column, SystemTables.keyColumn)
            case .joinTable(let name, let owner, let member, _): (name, owner, member)
            }
        let sql = "UPDATE \(table) SET \(order) = ?3 WHERE \(owner) = ?1 AND \(member) = ?2"
        try connection.withStatement(sql) { statement in
            for place in places {
                try statement.bind(place.owner.key, at: 1)
                try statement.bind(place.member, at: 2)
                try statement.bind(place.key, at: 3)
                try statement.run()
            }
        }
        for place in places {
            changes[place.owner, default: ChangedProperties()].toMany.insert(members.relationship.index)
        }
    }

    private mutating func delete(_ step: StoreRepairStep, _ rows: [StoreRepairStep.JoinRow]) throws {
        guard
            let join = layout.joins.first(where: {
                $0.entity.name == step.entity && $0.relationship.name == step.property
            })
        else { throw StoreRepairError.outdatedPlan }
        try forRows("DELETE FROM \(join.table)", "rowid", rows.map(\.rowID))
        result.deletedJoinRows += rows.count
        for row in rows {
            guard let survivor = row.survivor, let index = row.relationshipIndex else { continue }
            changes[survivor, default: ChangedProperties()].toMany.insert(index)
        }
    }

    // MARK: Derived attributes

    /// Recomputes derived values. The row version stays the same, because the row's own values do not change.
    private func recompute(_ step: StoreRepairStep, _ rows: [ObjectID]) throws {
        let columns = DerivedAttributes(runner.map).columns
        guard
            let derived = columns.first(where: { $0.entity.name == step.entity && $0.attribute.name == step.property })
        else { throw StoreRepairError.outdatedPlan }
        try update(derived.table, "\(derived.column) = \(derived.expression(of: derived.table))", rows)
    }

    // MARK: Counters

    private func raise(_ name: String, _ number: Int, to highest: Int64) throws {
        typealias Names = SystemTables.PrimaryKey
        let sql = "UPDATE \(Names.table) SET \(Names.highestKey) = ?1 WHERE \(Names.entity) = ?2"
        try connection.withStatement(sql) { statement in
            try statement.bind(highest, at: 1)
            try statement.bind(Int64(number), at: 2)
            try statement.run()
        }
        guard connection.changeCount == 0 else { return }
        let row = PrimaryKeyRow(number: number, name: name, superNumber: 0, highestKey: highest)
        try PrimaryKeyTable.insert([row], connection)
    }

    // MARK: Versions, history, deletions

    private mutating func record() throws {
        for (table, rows) in Dictionary(grouping: changes.keys, by: table).sorted(by: { $0.key < $1.key }) {
            try update(table, SystemTables.raisedVersion, rows)
        }
        guard let layout = runner.history, !changes.isEmpty || !deletions.isEmpty else { return }
        var history = try HistoryWriter(
            layout, author: nil, changeCount: changes.count + deletions.count, keys: &keys, connection)
        defer { history.finish() }
        result.transactionNumber = history.number
        for (row, changed) in changes.sorted(by: { $0.key < $1.key }) {
            guard let index = runner.spaces.entityIndex(of: row) else { continue }
            try history.updated(index, key: row.key, slots: changed.slots.sorted(), toMany: changed.toMany.sorted())
        }
        for (space, rows) in RowSet(deletions).keysBySpace.sorted(by: { $0.key.number < $1.key.number }) {
            guard let index = runner.spaces.entityIndex(of: space) else { continue }
            try history.willDelete(index, counted: rows)
        }
        try history.writePending()
        try keys.write(names: HistoryLayout.names, connection)
    }

    private func table(_ row: ObjectID) -> String {
        runner.spaces.entityIndex(of: row).map { runner.map.entities[$0].table } ?? ""
    }

    private func delete() throws {
        for (space, rows) in Dictionary(grouping: deletions, by: \.space) {
            guard let index = runner.spaces.entityIndex(of: ObjectID(space: space, key: 0)) else { continue }
            for join in runner.plans[index].joins {
                try forRows("DELETE FROM \(join.table)", join.column, rows.map(\.key))
            }
            try forRows("DELETE FROM \(runner.map.entities[index].table)", SystemTables.keyColumn, rows.map(\.key))
        }
    }
}

/// The outcome of a repair.
package struct StoreRepairResult: Sendable, Hashable {
    /// The number of rows with a new version.
    package internal(set) var changedRows = 0
    package internal(set) var deletedRows = 0
    package internal(set) var deletedJoinRows = 0
    package internal(set) var removedFiles = 0
    /// Files that could not be removed, and that no row refers to.
    package internal(set) var remainingFiles: [String] = []
    /// The number of the history transaction; `nil` if the store keeps no history or no row was changed.
    package internal(set) var transactionNumber: Int64?

    package init() {}
}
