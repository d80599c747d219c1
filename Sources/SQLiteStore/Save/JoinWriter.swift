import ObjectGraph
import StoreSQL

/// Writes the members of to-many relationships that are not stored as the to-one key of their inverse: join rows, keys
/// that exist only for the relationship, and order keys.
struct JoinWriter {
    let map: StorageMap
    let writer: RowWriter
    let connection: Connection

    /// - Throws: `ChangeSetError`, `SQLiteError`.
    func write(_ link: ChangeSet.LinkChange) throws {
        guard let entity = map.model.entity(at: link.ownerEntityIndex) else {
            throw ChangeSetError.unknownEntity(index: link.ownerEntityIndex)
        }
        guard let storage = map.entities[entity.index].toMany.element(link.relationshipIndex) ?? nil else {
            throw ChangeSetError.unknownRelationship(entity: entity.name, index: link.relationshipIndex)
        }
        let owner = try writer.row(link.owner)
        let removed = try link.removed.map { try writer.row($0).key }
        let added = try link.added.map { try writer.row($0).key }
        let order = try link.order?.map { try writer.row($0).key }
        switch storage {
        case .joinTable(let name, let ownerColumn, let memberColumn, let orderColumn):
            let join = Join(
                table: name, owner: ownerColumn, member: memberColumn,
                memberTable: memberTable(entity, link.relationshipIndex), ownerTest: ownerTest(link, entity))
            try unlink(removed, from: owner.key, join)
            try self.link(added, to: owner.key, join)
            guard let orderColumn, let order else { return }
            try reorder(order, owner: owner.key, OrderPlace(join: join, order: orderColumn))
        case .foreignKey(let table, let column, let numberColumn, let orderColumn, let ownsColumn):
            let key = Key(
                table: table, column: column, numberColumn: numberColumn, orderColumn: orderColumn,
                ownerTest: ownerTest(link, entity))
            if ownsColumn {
                try clear(removed, from: owner.key, key)
                try point(added, at: owner, key)
            }
            guard let orderColumn, let order else { return }
            let join = Join(
                table: table, owner: column, member: SystemTables.keyColumn, memberTable: table, ownerTest: "")
            try reorder(order, owner: owner.key, OrderPlace(join: join, order: orderColumn))
        }
    }

    // MARK: Join rows

    private struct Join {
        let table: String
        let owner: String
        let member: String
        /// The table of the members' rows.
        let memberTable: String
        let ownerTest: String
    }

    private func memberTable(_ entity: Entity, _ relationshipIndex: Int) -> String {
        map.entities[entity.relationships[relationshipIndex].destinationIndex].table
    }

    /// Returns a condition for the existence of the owner's row; empty if it has just been written.
    private func ownerTest(_ link: ChangeSet.LinkChange, _ entity: Entity) -> String {
        if link.owner.isTemporary { return "" }
        return " AND EXISTS (SELECT 1 FROM \(map.entities[entity.index].table) WHERE \(SystemTables.keyColumn) = ?1)"
    }

    private func unlink(_ members: [Int64], from owner: Int64, _ join: Join) throws {
        try forEach(
            members, "DELETE FROM \(join.table) WHERE \(join.owner) = ?1 AND \(join.member) = ?2", owner)
    }

    /// Links the rows. Keeps existing links, which the other side or another context may have made. Rows that do not
    /// exist, because this save or another context deleted them, are not linked: nothing would remove the join row.
    private func link(_ members: [Int64], to owner: Int64, _ join: Join) throws {
        try forEach(
            members,
            "INSERT OR IGNORE INTO \(join.table) (\(join.owner), \(join.member)) SELECT ?1, ?2 "
                + "WHERE EXISTS (SELECT 1 FROM \(join.memberTable) WHERE \(SystemTables.keyColumn) = ?2)\(join.ownerTest)",
            owner)
    }

    // MARK: Keys without inverse

    private struct Key {
        let table: String
        let column: String
        let numberColumn: String?
        let orderColumn: String?
        let ownerTest: String
    }

    private func clear(_ members: [Int64], from owner: Int64, _ key: Key) throws {
        let beside = [key.numberColumn, key.orderColumn].compactMap { $0 }.map { ", \($0) = NULL" }.joined()
        try forEach(
            members,
            "UPDATE \(key.table) SET \(key.column) = NULL\(beside) "
                + "WHERE \(key.column) = ?1 AND \(SystemTables.keyColumn) = ?2", owner)
    }

    private func point(_ members: [Int64], at owner: ObjectID, _ key: Key) throws {
        let entityNumber = writer.spaces.entityIndex(of: owner).map { map.entities[$0].entityNumber } ?? 0
        let number = key.numberColumn.map { ", \($0) = \(entityNumber)" } ?? ""
        try forEach(
            members,
            "UPDATE \(key.table) SET \(key.column) = ?1\(number) WHERE \(SystemTables.keyColumn) = ?2\(key.ownerTest)",
            owner.key)
    }

    private func forEach(_ members: [Int64], _ sql: String, _ owner: Int64) throws {
        guard !members.isEmpty else { return }
        try connection.withStatement(sql) { statement in
            try statement.bind(owner, at: 1)
            for member in members {
                try statement.bind(member, at: 2)
                try statement.run()
            }
        }
    }

    // MARK: Order

    private struct OrderPlace {
        let join: Join
        let order: String
    }

    /// Sets the order of members. Members that are not in the change set, because another context added them or the
    /// owner replaced an existing row, keep an order key of their own.
    private func reorder(_ members: [Int64], owner: Int64, _ place: OrderPlace) throws {
        let existing = try orderKeys(of: owner, place)
        let changes = OrderKeys.changes(order: OrderKeys.order(members, among: existing), existing: existing)
        guard !changes.isEmpty else { return }
        let sql =
            "UPDATE \(place.join.table) SET \(place.order) = ?3 "
            + "WHERE \(place.join.owner) = ?1 AND \(place.join.member) = ?2"
        try connection.withStatement(sql) { statement in
            try statement.bind(owner, at: 1)
            for (member, key) in changes {
                try statement.bind(member, at: 2)
                try statement.bind(key, at: 3)
                try statement.run()
            }
        }
    }

    private func orderKeys(of owner: Int64, _ place: OrderPlace) throws -> [Int64: Int64] {
        let sql =
            "SELECT \(place.join.member), \(place.order) FROM \(place.join.table) "
            + "WHERE \(place.join.owner) = ? AND \(place.order) IS NOT NULL"
        return try connection.withStatement(sql) { statement in
            try statement.bind(owner, at: 1)
            var keys: [Int64: Int64] = [:]
            while try statement.step() { keys[statement.integer(at: 0)] = statement.integer(at: 1) }
            return keys
        }
    }
}
