import ObjectGraph

/// Triggers that keep the number of a to-many relationship's members in a derived attribute (`count:(pages)`), word for
/// word as Apple's files have them.
///
/// Those of other derivations, and of counts that an entity below a table's root declares, have not been seen in a file:
/// the columns of these stay empty in files made here.
struct DerivedCounts {
    /// Called by the triggers. They mean something in Apple's process only; without them every write to such a table fails.
    static let updatedFunction = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    static let insertedFunction = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"

    private let layout: SchemaLayout
    private let columns: [Int: [TableColumn.Role: String]]
    private let tableNames: [Int: String]

    init(_ layout: SchemaLayout) {
        self.layout = layout
        columns = Dictionary(
            layout.tables.map { table in
                let named = table.columns.map { ($0.role, $0.name) }
                return (table.rootIndex, Dictionary(named, uniquingKeysWith: { first, _ in first }))
            }, uniquingKeysWith: { first, _ in first })
        tableNames = Dictionary(
            layout.tables.map { ($0.rootIndex, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// Entity by entity in the order of their numbers.
    var statements: [String] {
        layout.numbers.order.flatMap { index -> [String] in
            let entity = layout.model[index]
            return entity.attributes.compactMap { count($0.attribute, of: entity) }.flatMap(\.statements)
        }
    }

    func computes(_ attribute: Attribute, of entity: Entity) -> Bool { count(attribute, of: entity) != nil }

    private func count(_ attribute: Attribute, of entity: Entity) -> Count? {
        guard entity.isRoot, let path = Self.counted(attribute), let relationship = entity.relationship(named: path),
            let inverse = layout.model.inverse(of: relationship), inverse.isToOne
        else { return nil }
        let memberRoot = layout.model[inverse.declaringIndex].rootIndex
        guard
            let column = columns[entity.index]?[.leaf(PropertyKey(entityIndex: entity.index, name: attribute.name), 0)],
            let key = columns[memberRoot]?[.key(PropertyKey(entityIndex: inverse.declaringIndex, name: inverse.name))],
            let table = tableNames[entity.index], let memberTable = tableNames[memberRoot],
            [entity.name, attribute.name].allSatisfy(ColumnNaming.isPlainName)
        else { return nil }
        return Count(
            entity: entity.name, attribute: attribute.name, table: table, column: column, memberTable: memberTable,
            key: key)
    }

    /// The relationship whose members are counted.
    private static func counted(_ attribute: Attribute) -> String? {
        guard let text = attribute.derivation, attribute.derivationFilter == nil, !attribute.isTransient else {
            return nil
        }
        if text.hasPrefix("count:("), text.hasSuffix(")") { return String(text.dropFirst(7).dropLast()) }
        return text.hasSuffix(".@count") ? String(text.dropLast(7)) : nil
    }
}

/// One attribute that counts.
private struct Count {
    let entity: String
    let attribute: String
    let table: String
    let column: String
    let memberTable: String
    /// Of the members, to the one that counts them.
    let key: String

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
                + "\(report(DerivedCounts.insertedFunction, "NEW.\(pk)")); END",
        ]
    }

    private func name(_ table: String, _ event: String) -> String { "Z_DA_\(table)_\(entity)_\(attribute)_\(event)" }

    /// - Parameter row: the member as it is now, or as it was.
    private func members(_ event: String, _ when: String, _ row: String, _ value: String) -> String {
        "CREATE TRIGGER \(name(memberTable, "PARAMETER_\(event)")) \(when) FOR EACH ROW WHEN (\(row).\(key) NOT NULL) "
            + "BEGIN UPDATE \(table) SET \(column) = \(value) WHERE \(SystemTables.keyColumn) = \(row).\(key); "
            + "\(report(DerivedCounts.updatedFunction, "\(row).\(key)")); END"
    }

    private func report(_ function: String, _ row: String) -> String {
        let pk = SystemTables.keyColumn
        return "SELECT \(function)('\(table)', \(SystemTables.entityColumn), \(pk), '\(attribute)', \(column)) "
            + "FROM \(table) WHERE \(pk) = \(row)"
    }
}

extension SchemaLayout {
    /// Derived attributes that nothing computes in a new file, as `Entity.attribute`.
    package var uncomputedAttributes: [String] {
        let counts = DerivedCounts(self)
        return model.entities.flatMap { entity in
            entity.attributes.filter { attribute in
                attribute.declaringIndex == entity.index && attribute.attribute.isDerived
                    && !counts.computes(attribute.attribute, of: entity)
            }.map { "\(entity.name).\($0.name)" }
        }
    }
}
