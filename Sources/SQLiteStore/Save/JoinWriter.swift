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
        let entity = try map.model.entity(checking: link.ownerEntityIndex)
        let owner = try writer.row(link.owner)
        let number = writer.spaces.entityIndex(of: owner).map { map.entities[$0].entityNumber } ?? 0
        guard
            let texts = LinkTexts(
                link.relationshipIndex, of: entity, ownerNumber: number,
                link.owner.isTemporary ? .written : .unknown, map, dialect: SQLiteDialect())
        else { throw ChangeSetError.unknownRelationship(entity: entity.name, index: link.relationshipIndex) }
        let removed = try link.removed.map { try writer.row($0).key }
        let added = try link.added.map { try writer.row($0).key }
        let order = try link.order?.map { try writer.row($0).key }
        try forEach(removed, texts.unlink, owner.key)
        try forEach(added, texts.link, owner.key)
        if let order { try reorder(order, owner.key, texts) }
    }

    private func forEach(_ members: [Int64], _ text: String?, _ owner: Int64) throws {
        guard !members.isEmpty, let text else { return }
        try connection.withStatement(text) { statement in
            try statement.bind(owner, at: 1)
            for member in members {
                try statement.bind(member, at: 2)
                try statement.run()
            }
        }
    }

    // MARK: Order

    /// Sets the order of members. Members that are not in the change set, because another context added them or the
    /// owner replaced an existing row, keep an order key of their own.
    private func reorder(_ members: [Int64], _ owner: Int64, _ texts: LinkTexts) throws {
        guard let reading = texts.orderKeys, let writing = texts.reorder else { return }
        let existing = try orderKeys(of: owner, reading)
        let changes = OrderKeys.changes(order: OrderKeys.order(members, among: existing), existing: existing)
        guard !changes.isEmpty else { return }
        try connection.withStatement(writing) { statement in
            try statement.bind(owner, at: 1)
            for (member, key) in changes {
                try statement.bind(member, at: 2)
                try statement.bind(key, at: 3)
                try statement.run()
            }
        }
    }

    private func orderKeys(of owner: Int64, _ text: String) throws -> [Int64: Int64] {
        try connection.withStatement(text) { statement in
            try statement.bind(owner, at: 1)
            var keys: [Int64: Int64] = [:]
            while try statement.step() { keys[statement.integer(at: 0)] = statement.integer(at: 1) }
            return keys
        }
    }
}
