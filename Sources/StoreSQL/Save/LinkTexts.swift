import ObjectGraph

/// The statements that write the members of one to-many relationship that are not stored as the to-one key of their
/// inverse: join rows, keys that exist only for the relationship, and order keys. Parameter 1 is the owner's key, 2 a
/// member's, 3 an order key.
package struct LinkTexts {
    private let storage: ToManyStorage
    private let ownerTable: String
    private let ownerNumber: Int
    private let memberTable: String
    private let presence: Presence
    private let dialect: any Dialect

    /// What is known of the owner's row.
    package enum Presence {
        /// It has just been written.
        case written
        /// It may be gone.
        case unknown
    }

    /// - Parameters:
    ///   - ownerNumber: The entity number of the owner's row.
    /// - Returns: `nil` for a relationship that is not stored as a to-many one.
    package init?(
        _ relationshipIndex: Int, of entity: Entity, ownerNumber: Int, _ presence: Presence, _ map: StorageMap,
        dialect: any Dialect
    ) {
        guard let relationship = entity.relationships.element(relationshipIndex),
            let storage = map.entities[entity.index].toMany.element(relationshipIndex) ?? nil
        else { return nil }
        self.storage = storage
        self.ownerNumber = ownerNumber
        self.presence = presence
        self.dialect = dialect
        ownerTable = dialect.name(map.entities[entity.index].table)
        memberTable = dialect.name(map.entities[relationship.destinationIndex].table)
    }

    /// Unlinks a member; `nil` if the members' inverse is written instead.
    package var unlink: String? {
        switch storage {
        case .joinTable(let name, let owner, let member, _):
            return "DELETE FROM \(dialect.name(name)) WHERE \(dialect.name(owner)) = \(dialect.parameter(1)) "
                + "AND \(dialect.name(member)) = \(dialect.parameter(2))"
        case .foreignKey(let table, let column, let number, let order, ownsColumn: true):
            let cleared = [column, number, order].compactMap { $0 }.map { "\(dialect.name($0)) = NULL" }
            return "UPDATE \(dialect.name(table)) SET \(cleared.joined(separator: ", ")) "
                + "WHERE \(dialect.name(column)) = \(dialect.parameter(1)) AND \(Self.key) = \(dialect.parameter(2))"
        case .foreignKey: return nil
        }
    }

    /// Links a member; `nil` if the members' inverse is written instead. Keeps existing links, which the other side or
    /// another context may have made. Rows that do not exist, because this save or another context deleted them, are not
    /// linked: nothing would remove the join row.
    package var link: String? {
        switch storage {
        case .joinTable(let name, let owner, let member, _):
            return dialect.insertion(
                ofMissing: "SELECT \(dialect.parameter(1)), \(dialect.parameter(2)) WHERE "
                    + "\(exists(2, in: memberTable))\(ownerTest)",
                into: "\(dialect.name(name)) (\(dialect.name(owner)), \(dialect.name(member)))")
        case .foreignKey(let table, let column, let number, _, ownsColumn: true):
            let numbering = number.map { ", \(dialect.name($0)) = \(ownerNumber)" } ?? ""
            return "UPDATE \(dialect.name(table)) SET \(dialect.name(column)) = \(dialect.parameter(1))\(numbering) "
                + "WHERE \(Self.key) = \(dialect.parameter(2))\(ownerTest)"
        case .foreignKey: return nil
        }
    }

    /// Sets a member's order key; `nil` for an unordered relationship.
    package var reorder: String? {
        ordering.map { rows in
            "UPDATE \(rows.table) SET \(rows.order) = \(dialect.parameter(3)) "
                + "WHERE \(rows.owner) = \(dialect.parameter(1)) AND \(rows.member) = \(dialect.parameter(2))"
        }
    }

    /// Selects the owner's members with their order keys. The parameter is the owner's key.
    package var orderKeys: String? {
        ordering.map { rows in
            "SELECT \(rows.member), \(rows.order) FROM \(rows.table) "
                + "WHERE \(rows.owner) = \(dialect.placeholder(1)) AND \(rows.order) IS NOT NULL"
        }
    }

    private static let key = SystemTables.keyColumn

    private struct Ordering {
        let table: String
        let owner: String
        let member: String
        let order: String
    }

    private var ordering: Ordering? {
        switch storage {
        case .joinTable(let name, let owner, let member, let order):
            order.map {
                Ordering(
                    table: dialect.name(name), owner: dialect.name(owner), member: dialect.name(member),
                    order: dialect.name($0))
            }
        case .foreignKey(let table, let column, _, let order, _):
            order.map {
                Ordering(
                    table: dialect.name(table), owner: dialect.name(column), member: Self.key, order: dialect.name($0))
            }
        }
    }

    private var ownerTest: String { presence == .written ? "" : " AND \(exists(1, in: ownerTable))" }

    private func exists(_ number: Int, in table: String) -> String {
        "EXISTS (SELECT 1 FROM \(table) WHERE \(Self.key) = \(dialect.parameter(number)))"
    }
}
