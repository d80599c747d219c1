import ObjectGraph
import StoreSQL

/// Triggers that store the number of a to-many relationship's members in a derived attribute (`count:(pages)`), with
/// exactly the text of Apple's files.
///
/// No file was available with triggers of other derivations, or of counts that a subentity declares.
struct DerivedCounts {
    private let derived: DerivedColumn
    private let memberTable: String
    /// The members' key of their owner.
    private let key: String

    /// - Returns: `nil` unless the value is the count of a to-many relationship with a to-one inverse, declared by a root
    ///   entity.
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
            "CREATE TRIGGER \(derived.triggerName(table, "SOURCE_INSERT")) AFTER INSERT ON \(table) FOR EACH ROW BEGIN "
                + "UPDATE \(table) SET \(column) = (SELECT IFNULL(COUNT(\(key)), 0) FROM \(memberTable) "
                + "WHERE \(key) = NEW.\(pk)) WHERE \(pk) = NEW.\(pk); "
                + "\(report(DerivationFunctions.inserted, "NEW.\(pk)")); END",
        ]
    }

    /// - Parameter row: The member's new or old values.
    private func members(_ event: String, _ when: String, _ row: String, _ value: String) -> String {
        "CREATE TRIGGER \(derived.triggerName(memberTable, "PARAMETER_\(event)")) \(when) FOR EACH ROW WHEN (\(row).\(key) NOT NULL) "
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
