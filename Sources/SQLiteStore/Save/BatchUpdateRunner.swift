import Foundation
import ObjectGraph

/// Writes new values into all rows that match, within a transaction of the caller's: one statement that finds the rows, and
/// one for each table that writes them.
struct BatchUpdateRunner {
    let runner: SaveRunner
    let batch: BatchUpdate
    let connection: Connection

    /// Files no row refers to any more; to be removed after the commit.
    private(set) var obsoleteFiles: [String] = []

    init(_ batch: BatchUpdate, runner: SaveRunner, _ connection: Connection) {
        self.batch = batch
        self.runner = runner
        self.connection = connection
    }

    /// - Throws: `ChangeSetError`, `UntranslatableExpression`, `CellError`, `UniqueViolation`, `SQLiteError`.
    mutating func run() throws -> BatchResult {
        guard let entity = runner.map.model.entity(at: batch.query.entityIndex) else {
            throw ChangeSetError.unknownEntity(index: batch.query.entityIndex)
        }
        let plan = runner.plans[entity.index]
        let columns = try batch.assignments.map { try column(ofSlot: $0.slot, plan) }
        let rows = try runner.deleteRunner.reader(connection).rows(matching: batch.query)
        var keys = KeySet()
        for found in rows.values { keys.formUnion(found) }
        var result = BatchResult()
        guard !keys.isEmpty, !columns.isEmpty else { return result }
        try noteFiles(columns, keys, plan)
        do {
            try connection.run(try text(columns, keys, plan))
        } catch let error as SQLiteError where error.isUniqueViolation {
            throw UniqueViolation(
                entity: entity.name, properties: batch.assignments.map { entity.propertyName(ofSlot: $0.slot) }, ids: []
            )
        }
        for (index, keys) in rows { result.updated.insert(keys, in: runner.spaces.spaces[index]) }
        result.transactionNumber = try writeHistory(rows)
        return result
    }

    private func column(ofSlot slot: Int, _ plan: WritePlan) throws -> WriteColumn {
        guard let position = plan.columnBySlot.element(slot) ?? nil, plan.columns[position].writer != .reference else {
            throw ChangeSetError.unknownSlot(entity: plan.entity.name, slot: slot)
        }
        return plan.columns[position]
    }

    // MARK: Text

    private func text(_ columns: [WriteColumn], _ keys: KeySet, _ plan: WritePlan) throws -> SQLText {
        var translation = ExpressionSQL(map: runner.map, spaces: runner.spaces)
        let alias = translation.newAlias()
        let table: SQLText = "\(plan.storage.table) AS \(alias)"
        translation.openScope(from: table, aliases: [alias])
        translation.bind(.root, to: translation.object(entityIndex: plan.entity.index, alias: alias))
        var sets: [SQLText] = []
        for (column, assignment) in zip(columns, batch.assignments) {
            sets.append("\(column.name) = \(try value(assignment.value, of: column, &translation))")
        }
        guard translation.closeScope() == table else {
            throw UntranslatableExpression("a property of another object in the values of a batch update")
        }
        sets.append(SQLText(SystemTables.raisedVersion))
        return "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE \(SystemTables.keyColumn) IN "
            + "(SELECT \(SQLNames.valueColumn) FROM \(SQLNames.values)(\(.keys(keys))))"
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

    /// A large value stays in the rows: they cannot share a file.
    private func cell(of value: Value, _ column: WriteColumn) throws -> Cell {
        if column.writer == .external, case .bytes(let data) = value {
            return .bytes(ExternalData.inlineCell(for: data))
        }
        return try ColumnCodec.cell(of: value, column.type)
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
