import ObjectGraph
import StoreSQL

extension FetchRunner {
    /// The inputs that determine the text of a statement for members.
    struct MemberQuery: Hashable {
        let entityIndex: Int
        let relationshipIndex: Int
        let hasSingleOwner: Bool
    }

    /// Returns the members of one to-many relationship for several owners, with one statement.
    func members(
        of relationshipIndex: Int, entityIndex: Int, owners: [ObjectID], _ connection: Connection
    ) throws -> [ObjectID: [ObjectID]] {
        guard let relationship = map.model.entity(at: entityIndex)?.relationships.element(relationshipIndex),
            let storage = map.entities[entityIndex].toMany.element(relationshipIndex) ?? nil
        else { return [:] }
        let owners = owners.filter { spaces.entityIndex(of: $0) != nil }
        guard let first = owners.first else { return [:] }
        let destination = map.model[relationship.destinationIndex]
        let query = MemberQuery(
            entityIndex: entityIndex, relationshipIndex: relationshipIndex, hasSingleOwner: owners.count == 1)
        let sql = memberTexts.withLock { texts in
            if let text = texts[query] { return text }
            let text = memberText(storage, destination, single: query.hasSingleOwner)
            texts[query] = text
            return text
        }
        return try connection.withStatement(sql) { statement in
            if owners.count == 1 {
                try statement.bind(first.key, at: 1)
            } else {
                try statement.bind(ValueList(owners.map(\.key)), at: 1)
            }
            return try collect(statement, owners, destination)
        }
    }

    /// Returns the first members of one owner, in the order of the relationship, and the total count.
    func memberPage(
        of relationshipIndex: Int, entityIndex: Int, owner: ObjectID, limit: Int, _ connection: Connection
    ) throws -> MemberPage {
        guard let relationship = map.model.entity(at: entityIndex)?.relationships.element(relationshipIndex),
            let storage = map.entities[entityIndex].toMany.element(relationshipIndex) ?? nil,
            spaces.entityIndex(of: owner) != nil
        else { return MemberPage(first: [], count: 0) }
        let destination = map.model[relationship.destinationIndex]
        let source = memberSource(storage, destination)
        let count = try connection.withStatement("SELECT count(*) FROM \(source.from) WHERE \(source.owner) = ?") {
            try $0.bind(owner.key, at: 1)
            return try $0.step() ? Int($0.integer(at: 0)) : 0
        }
        let text = memberText(storage, destination, single: true) + " LIMIT ?"
        let first = try connection.withStatement(text) { statement in
            try statement.bind(owner.key, at: 1)
            try statement.bind(Int64(limit), at: 2)
            return try collect(statement, [owner], destination)[owner] ?? []
        }
        return MemberPage(first: first, count: count)
    }

    /// The parts of a statement that select the members of a relationship.
    private struct MemberSource {
        let from: String
        let owner: String
        let member: String
        let order: String?
    }

    private func memberSource(_ storage: ToManyStorage, _ destination: Entity) -> MemberSource {
        let key = SystemTables.keyColumn
        switch storage {
        case .foreignKey(let table, let column, _, let orderColumn, _):
            return MemberSource(
                from: "\(table) m", owner: "m.\(column)", member: "m.\(key)", order: orderColumn.map { "m.\($0)" })
        case .joinTable(let name, let ownerColumn, let memberColumn, let orderColumn):
            let rows =
                destination.hasSubentities
                ? " JOIN \(table(of: destination)) m ON m.\(key) = j.\(memberColumn)" : ""
            return MemberSource(
                from: "\(name) j\(rows)", owner: "j.\(ownerColumn)", member: "j.\(memberColumn)",
                order: orderColumn.map { "j.\($0)" })
        }
    }

    /// The selected columns are the owner's key, the member's key, and its entity number if the destination has subentities.
    private func memberText(_ storage: ToManyStorage, _ destination: Entity, single: Bool) -> String {
        let source = memberSource(storage, destination)
        let number = destination.hasSubentities ? ", m.\(SystemTables.entityColumn)" : ""
        let condition = single ? "= ?" : "IN (SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(?))"
        let orderBy = [source.owner, source.order, source.member].compactMap { $0 }.joined(separator: ", ")
        return "SELECT \(source.owner), \(source.member)\(number) FROM \(source.from) "
            + "WHERE \(source.owner) \(condition) ORDER BY \(orderBy)"
    }

    private func table(of entity: Entity) -> String { map.entities[entity.index].table }

    /// Collects members from rows that are sorted by owner.
    private func collect(
        _ statement: Statement, _ owners: [ObjectID], _ destination: Entity
    ) throws -> [ObjectID: [ObjectID]] {
        let ownersByKey = Dictionary(owners.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let space = spaces.spaces[destination.index]
        var result: [ObjectID: [ObjectID]] = [:]
        var current: (key: Int64, members: [ObjectID])?
        func finish() {
            if let current, let owner = ownersByKey[current.key] { result[owner] = current.members }
        }
        while try statement.step() {
            let owner = statement.integer(at: 0)
            if current?.key != owner {
                finish()
                current = (owner, [])
            }
            let own = destination.hasSubentities ? layouts.space(number: statement.integer(at: 2)) : space
            guard let space = own else { continue }
            current?.members.append(ObjectID(space: space, key: statement.integer(at: 1)))
        }
        finish()
        return result
    }
}
