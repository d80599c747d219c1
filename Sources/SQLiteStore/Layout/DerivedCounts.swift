import ObjectGraph

/// Triggers that keep the number of a to-many relationship's members in a derived attribute (`count:(pages)`), word for
/// word as Apple's files have them.
///
/// Those of other derivations, and of counts that an entity below a table's root declares, have not been seen in a file.
struct DerivedCounts {
    private let derived: DerivedColumn
    private let memberTable: String
    /// Of the members, to the one that counts them.
    private let key: String

    /// - Returns: `nil` for anything but a count of a to-many relationship with a to-one inverse, declared by a root entity.
    init?(_ derived: DerivedColumn) {
        guard derived.value.kind == .count, derived.entity.isRoot, derived.hops.count == 1,
            let hop = derived.hops.first, case .memberKey(let key) = hop.link,
            derived.value.hops.allSatisfy({ $0.inverseIndex != nil })
        else { return nil }
        self.derived = derived
        memberTable = hop.table
        self.key = key
    }

    private var table: String { derived.table }
    private var column: String { derived.column }

    var statements: [String] {
        let pk = SystemTables.keyColumn
        return [
            members("INSERT", "AFTER INSERT ON \(memberTable)", "NEW", "IFNULL(\(column), 0) + 1"),
            members("UPDATE_INCREMENT", "AFTER UPDATE OF \(key) ON \(memberTable)", "NEW", "\(column) + 1"),
            members("UPDATE_DECREMENT", "AFTER UPDATE OF \(key) ON \(memberTable)", "OLD", "\(column) - 1"),
            members("DELETE", "AFTER DELETE ON \(memberTable)", "OLD", "\(column) - 1"),
            "CREATE TRIGGER \(name(table, "SOURCE_INSERT")) AFTER INSERT ON \(table) FOR EACH ROW BEGIN "
                + "UPDATE \(table) SET \(column) = (SELECT IFNULL(COUNT(\(key)), 0) FROM \(memberTable) "
                + "WHERE \(key) = NEW.\(pk)) WHERE \(pk) = NEW.\(pk); "
                + "\(report(DerivationFunctions.inserted, "NEW.\(pk)")); END",
        ]
    }

    private func name(_ table: String, _ event: String) -> String {
        "\(MigrationTables.derivationTriggerPrefix)\(table)"
            + MigrationTables.derivationTriggerMark(entity: derived.entity.name, attribute: derived.attribute.name)
            + event
    }

    /// - Parameter row: the member as it is now, or as it was.
    private func members(_ event: String, _ when: String, _ row: String, _ value: String) -> String {
        "CREATE TRIGGER \(name(memberTable, "PARAMETER_\(event)")) \(when) FOR EACH ROW WHEN (\(row).\(key) NOT NULL) "
            + "BEGIN UPDATE \(table) SET \(column) = \(value) WHERE \(SystemTables.keyColumn) = \(row).\(key); "
            + "\(report(DerivationFunctions.updated, "\(row).\(key)")); END"
    }

    private func report(_ function: String, _ row: String) -> String {
        let pk = SystemTables.keyColumn
        return
            "SELECT \(function)('\(table)', \(SystemTables.entityColumn), \(pk), '\(derived.attribute.name)', \(column)) "
            + "FROM \(table) WHERE \(pk) = \(row)"
    }
}
