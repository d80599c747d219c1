import Foundation
import ObjectGraph
import StoreSQL

/// Writes new values to all matching rows, within the caller's transaction: one statement finds the rows, and one for
/// each table writes them.
struct BatchUpdateRunner {
    let runner: SaveRunner
    let batch: BatchUpdate
    let connection: Connection

    /// Files without a reference from any row, to be removed after the commit.
    private(set) var obsoleteFiles: [String] = []

    init(_ batch: BatchUpdate, runner: SaveRunner, _ connection: Connection) {
        self.batch = batch
        self.runner = runner
        self.connection = connection
    }

    /// - Throws: `ChangeSetError`, `UntranslatableExpression`, `CellError`, `UnfitValue`, `UniqueViolation`, `SQLiteError`.
    mutating func run() throws -> SavedRows {
        let entity = try batch.entity(in: runner.map.model)
        let plan = runner.plans[entity.index]
        let columns = try batch.assignments.map { try column(ofSlot: $0.slot, plan) }
        try checkKinds(columns, plan)
        let reader = runner.deleteRunner.reader(connection)
        let rows = try reader.keys(matching: batch.query)
        var keys = KeySet()
        for found in rows.values { keys.formUnion(found) }
        var result = SavedRows()
        guard !keys.isEmpty, !columns.isEmpty else { return result }
        try noteFiles(columns, keys, plan)
        do {
            try write(columns, keys, plan, reader)
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw UniqueViolation(
                entity: entity.name, properties: batch.assignments.map { entity.propertyName(ofSlot: $0.slot) }, ids: []
            )
        }
        try checkConstraintsWithNulls(columns, rows)
        for (index, keys) in rows { result.updated.insert(keys, in: runner.spaces.spaces[index]) }
        result.transactionNumber = try writeHistory(rows)
        return result
    }

    private func checkConstraintsWithNulls(_ columns: [WriteColumn], _ rows: [Int: KeySet]) throws {
        let written = Set(columns.map(\.name))
        for (entityIndex, keys) in rows {
            let plan = runner.plans[entityIndex]
            try plan.checkConstraintsWithNulls(keys, written: written, connection) { uniqueness, key in
                plan.violation(of: uniqueness, [runner.spaces.id(entityIndex: entityIndex, key: key)])
            }
        }
    }

    /// Writes the columns with one statement, or with a meter, one for each portion of the rows. Leaves out rows with
    /// unfit computed values; the row count shows whether there are any, without another read.
    private func write(_ columns: [WriteColumn], _ keys: KeySet, _ plan: WritePlan, _ reader: DeleteReader) throws {
        let text = try text(columns, plan)
        let fitting = try fittingOnly(columns, plan)
        if let meter = batch.meter {
            meter.expect(keys.count)
            for part in keys.parts(of: Self.meteredCount) {
                try update(part.count, text + " WHERE \(Self.isOne(of: part))" + fitting, columns, plan)
                try meter.count(part.count)
            }
        } else {
            try update(keys.count, text + condition(keys, plan, reader) + fitting, columns, plan)
        }
    }

    private func update(_ count: Int, _ text: SQLText, _ columns: [WriteColumn], _ plan: WritePlan) throws {
        try connection.run(text)
        guard connection.changeCount == count else { throw unfit(computed(columns), plan) }
    }

    /// The maximum number of rows written between updates of the meter.
    private static let meteredCount = 20_000

    private func column(ofSlot slot: Int, _ plan: WritePlan) throws -> WriteColumn {
        guard let position = plan.columnBySlot.element(slot) ?? nil, plan.columns[position].writer != .reference else {
            throw ChangeSetError.unknownSlot(entity: plan.entity.name, slot: slot)
        }
        return plan.columns[position]
    }

    // MARK: Text

    private func text(_ columns: [WriteColumn], _ plan: WritePlan) throws -> SQLText {
        let (table, values) = try translated(plan) { translation in
            try zip(columns, batch.assignments).map { column, assignment in
                "\(column.name) = \(try value(assignment.value, of: column, &translation))" as SQLText
            }
        }
        let sets = values + [SQLText(SystemTables.raisedVersion)]
        return "UPDATE \(table) SET \(sets.joined(separator: ", "))"
    }

    /// Returns the table with its alias, and the translation of expressions over its rows.
    private func translated<Result>(
        _ plan: WritePlan, _ body: (inout ExpressionSQL) throws -> Result
    ) throws -> (table: SQLText, result: Result) {
        var translation = ExpressionSQL(map: runner.map, spaces: runner.spaces, dialect: SQLiteDialect())
        let alias = translation.newAlias()
        let table: SQLText = "\(plan.storage.table) AS \(alias)"
        translation.openScope(from: table, aliases: [alias])
        translation.bind(.root, to: translation.object(entityIndex: plan.entity.index, alias: alias))
        let result = try body(&translation)
        guard translation.closeScope() == table else {
            throw UntranslatableExpression("a property of another object in the values of a batch update")
        }
        return (table, result)
    }

    private static func isOne(of keys: KeySet) -> SQLText {
        SQLiteDialect().isAmong(keys, SQLText(SystemTables.keyColumn), by: .lookUp)
    }

    /// Returns a condition for the rows that were found. For a large part of the table, this is the query's own
    /// condition, which costs less than looking each row up; no other connection writes meanwhile.
    private func condition(_ keys: KeySet, _ plan: WritePlan, _ reader: DeleteReader) throws -> SQLText {
        if meetsSameRows(plan.entity), try reader.strategist.toFind(referringTo: keys, of: plan.storage.table) == .scan,
            let conditions = try reader.builder.ownConditions(batch.query)
        {
            return conditions.isEmpty ? " WHERE TRUE" : conditions
        }
        return " WHERE \(Self.isOne(of: keys))"
    }

    /// Whether the query's condition depends on one row alone, so that updating other rows does not change it. False
    /// for entities with subentities, because their table may have rows of entities unknown to the model, which were
    /// not found; and for entities with derived attributes, because triggers may change those of other rows.
    private func meetsSameRows(_ entity: Entity) -> Bool {
        !entity.hasSubentities && !entity.attributes.contains(where: \.attribute.isDerived) && !batch.query.hasWindow
            && batch.query.predicate?.readsOtherObjects != true
    }

    private func value(
        _ expression: QueryExpression, of column: WriteColumn, _ translation: inout ExpressionSQL
    ) throws -> SQLText {
        if case .literal(let value) = expression { return .parameter(try cell(of: value, column)) }
        guard column.writer != .external else {
            throw UntranslatableExpression("a computed value of an externally stored attribute")
        }
        let value = try translation.value(expression).readable()
        switch column.type {
        case .integer16, .integer32, .integer64, .boolean:
            return value.kind.isReal ? "CAST(\(value.sql) AS INTEGER)" : value.sql
        default: return value.sql
        }
    }

    /// A large value is stored in the rows, because they cannot share a file.
    private func cell(of value: Value, _ column: WriteColumn) throws -> Cell {
        if column.writer == .external, case .bytes(let data) = value {
            return .bytes(ExternalData.inlineCell(for: data))
        }
        return try ColumnCodec.cell(of: value, column.type)
    }

    // MARK: Computed values

    /// Refuses values that the column cannot store in any row.
    private func checkKinds(_ columns: [WriteColumn], _ plan: WritePlan) throws {
        for (column, assignment) in zip(columns, batch.assignments) where !assignment.value.isLiteral {
            let kind = try translated(plan) { try $0.value(assignment.value).readable().kind }.result
            guard kind == .unknown || kind.comparesPlainly(with: ValueSQL.Kind(column.type)) else {
                throw unfit([column], plan)
            }
        }
    }

    /// Excludes rows with a value that the column cannot store: a number out of range, or a type that is known only at
    /// run time. A value that overflows 64 bits would be written as nil and replace the stored value.
    private func fittingOnly(_ columns: [WriteColumn], _ plan: WritePlan) throws -> SQLText {
        try translated(plan) { translation in
            try zip(columns, batch.assignments).filter { !$0.1.value.isLiteral }.reduce(into: SQLText()) {
                tests, each in
                let misfits = Self.isUnfit(try value(each.1.value, of: each.0, &translation), each.0.type)
                tests += " AND (\(misfits)) IS NOT TRUE"
                if let overflow = each.1.value.overflow {
                    tests += " AND (\(try translation.filter(overflow))) IS NOT TRUE"
                }
            }
        }.result
    }

    private func computed(_ columns: [WriteColumn]) -> [WriteColumn] {
        zip(columns, batch.assignments).filter { !$0.1.value.isLiteral }.map(\.0)
    }

    private func unfit(_ columns: [WriteColumn], _ plan: WritePlan) -> UnfitValue {
        UnfitValue(entity: plan.entity.name, properties: columns.map { plan.entity.propertyName(ofSlot: $0.slot) })
    }

    /// Returns a test that is true for values that a column of the type must not contain.
    private static func isUnfit(_ value: SQLText, _ type: AttributeType) -> SQLText {
        switch type {
        case .integer16: isOutside(value, Int64(Int16.min), Int64(Int16.max))
        case .integer32: isOutside(value, Int64(Int32.min), Int64(Int32.max))
        case .boolean: isOutside(value, 0, 1)
        case .integer64: isOther(value, than: "'null', 'integer'")
        case .double, .float, .date, .decimal: isOther(value, than: "'null', 'integer', 'real'")
        case .string, .uri: isOther(value, than: "'null', 'text'")
        case .uuid: "(\(isOther(value, than: "'null', 'blob'")) OR length(\(value)) <> 16)"
        case .binary, .transformable, .composite: isOther(value, than: "'null', 'blob'")
        }
    }

    private static func isOther(_ value: SQLText, than kinds: String) -> SQLText {
        "typeof(\(value)) NOT IN (\(kinds))"
    }

    private static func isOutside(_ value: SQLText, _ least: Int64, _ most: Int64) -> SQLText {
        let bounds: SQLText = "\(.parameter(.integer(least))) AND \(.parameter(.integer(most)))"
        return "(\(isOther(value, than: "'null', 'integer'")) OR (\(value)) NOT BETWEEN \(bounds))"
    }

    // MARK: Files and history

    private mutating func noteFiles(_ columns: [WriteColumn], _ keys: KeySet, _ plan: WritePlan) throws {
        for column in columns where column.writer == .external {
            obsoleteFiles += try runner.deleteRunner.files(in: column.name, of: plan.storage.table, keys, connection)
        }
    }

    private func writeHistory(_ rows: [Int: KeySet]) throws -> Int64? {
        guard let layout = runner.history else { return nil }
        var keys = KeyAllocator()
        var history = try HistoryWriter(
            layout, author: batch.author, contextName: batch.contextName, changeCount: 0, keys: &keys, connection)
        defer { history.finish() }
        for (entityIndex, found) in rows.sorted(by: { $0.key < $1.key }) {
            try history.updated(
                entityIndex, rows: found, slots: batch.assignments.map(\.slot).sorted(), toMany: [], &keys)
        }
        try keys.write(names: HistoryLayout.names, connection)
        return history.number
    }
}

extension QueryExpression {
    fileprivate var isLiteral: Bool { if case .literal = self { true } else { false } }
}
