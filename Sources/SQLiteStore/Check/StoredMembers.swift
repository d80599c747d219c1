import ObjectGraph
import StoreSQL

/// The stored members of a to-many relationship, as a SELECT of owner `o`, the owner's entity number `f`, member `m`,
/// order key `k` and the member's entity number `e`. Includes only pairs whose rows both exist and are of the right
/// entities.
struct StoredMembers: Sendable {
    /// The entity that declares the relationship.
    let entity: Entity
    let relationship: EntityRelationship
    let storage: ToManyStorage
    let ownerTable: String
    let ownerNumbers: [Int]
    let memberTable: String
    let memberNumbers: [Int]
    /// Whether the relationship is its own inverse, so that each member has its owner as a member.
    let isOwnInverse: Bool

    /// Whether a missing counterpart can be added without a decision: there is no order, and no maximum count that could
    /// be exceeded.
    var mayBeCompleted: Bool { isOwnInverse && !isOrdered && relationship.relationship.mostCount == nil }

    private typealias Names = SystemTables

    var isOrdered: Bool { orderColumn != nil }

    var orderColumn: String? {
        switch storage {
        case .foreignKey(_, _, _, let column, _), .joinTable(_, _, _, let column): column
        }
    }

    var selection: String {
        let order = orderColumn
        let ends =
            "w.\(Names.entityColumn) IN \(SQLList(ownerNumbers)) AND r.\(Names.entityColumn) IN \(SQLList(memberNumbers))"
        switch storage {
        case .foreignKey(_, let column, _, _, _):
            return "SELECT r.\(column) AS o, r.\(Names.keyColumn) AS m, \(order.map { "r.\($0)" } ?? "NULL") AS k, "
                + "r.\(Names.entityColumn) AS e, w.\(Names.entityColumn) AS f FROM \(memberTable) r "
                + "JOIN \(ownerTable) w ON w.\(Names.keyColumn) = r.\(column) WHERE \(ends)"
        case .joinTable(let name, let owner, let member, _):
            return "SELECT j.\(owner) AS o, j.\(member) AS m, \(order.map { "j.\($0)" } ?? "NULL") AS k, "
                + "r.\(Names.entityColumn) AS e, w.\(Names.entityColumn) AS f FROM \(name) j "
                + "JOIN \(memberTable) r ON r.\(Names.keyColumn) = j.\(member) "
                + "JOIN \(ownerTable) w ON w.\(Names.keyColumn) = j.\(owner) WHERE \(ends)"
        }
    }
}

/// A join table, listed once, under the first of its two relationships.
struct StoredJoin: Sendable {
    let entity: Entity
    let relationship: EntityRelationship
    let table: String
    let ends: [End]

    /// One side of the join table: a key of a row of `table`.
    struct End: Sendable {
        let column: String
        let table: String
        /// Entity numbers that are invalid on this side, as in `StoredKey`.
        let foreignNumbers: [Int]
        /// The position of this side's relationship in `Entity.relationships`; `nil` if it has none.
        let relationshipIndex: Int?
    }

    private typealias Names = SystemTables

    /// A condition for join rows `j` with a missing end.
    var isStray: String {
        ends.map { end in
            "NOT EXISTS (SELECT 1 FROM \(end.table) u WHERE u.\(Names.keyColumn) = j.\(end.column) "
                + "AND coalesce(u.\(Names.entityColumn), 0) NOT IN \(SQLList(end.foreignNumbers)))"
        }.joined(separator: " OR ")
    }
}
