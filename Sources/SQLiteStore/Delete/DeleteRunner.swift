import Foundation
import ObjectGraph
import StoreSQL

/// Plans and carries out deletes within the caller's transaction.
struct DeleteRunner: Sendable {
    let map: StorageMap
    let spaces: EntitySpaces
    /// Replaces the strategy chosen by share. For tests that compare the strategies.
    var forced: DeleteStrategy?

    func plan(_ request: DeleteRequest, _ connection: Connection) throws -> DeletePlan {
        try DeletePlanner.plan(request, reader(connection))
    }

    func reader(_ connection: Connection) -> DeleteReader {
        DeleteReader(map: map, spaces: spaces, connection, forced: forced)
    }

    func steps(for plan: DeletePlan, _ connection: Connection) throws -> [DeleteStep] {
        try steps(mostRows: nil, connection).steps(for: plan)
    }

    private func steps(mostRows: Int?, _ connection: Connection) -> DeleteSteps {
        DeleteSteps(
            map: map, spaces: spaces, strategist: DeleteStrategist(sizes: connection, forced: forced),
            dialect: SQLiteDialect(), mostRows: mostRows)
    }

    /// Carries out a plan. Writes history first, because the preserved values of deleted rows must be read before the
    /// deletion.
    /// - Parameters:
    ///   - archiving: How the deleted rows are archived; `nil` for a delete that cannot be restored.
    ///   - meter: Receives the row count of each statement.
    /// - Returns: The names of the deleted rows' external files, to be removed after the commit. Empty if the rows are
    ///   archived.
    /// - Throws: `DeleteError.refused` before anything is written; errors of the write.
    func run(
        _ plan: DeletePlan, archiving: ArchiveOptions? = nil, meter: RowMeter? = nil, history: inout HistoryWriter?,
        keys: inout KeyAllocator, _ connection: Connection
    ) throws -> [String] {
        guard plan.refusals.isEmpty else { throw DeleteError.refused(plan.refusals) }
        let files = archiving == nil ? try files(of: plan.deleted, connection) : []
        let steps = steps(mostRows: meter.map { _ in Self.meteredCount }, connection)
        if let archiving { try DeletionArchive.write(plan, archiving, steps: steps, connection) }
        try log(plan, &history, &keys)
        try run(try steps.steps(for: plan), meter, connection)
        return files
    }

    private func run(_ steps: [DeleteStep], _ meter: RowMeter?, _ connection: Connection) throws {
        meter?.expect(steps.reduce(0) { $0 + ($1.rowCount ?? 0) })
        for step in steps {
            try connection.run(step.text)
            try meter?.count(step.rowCount ?? 0)
        }
    }

    /// The maximum number of rows that one statement deletes or changes while progress is observed.
    private static let meteredCount = 20_000

    // MARK: History

    private func log(_ plan: DeletePlan, _ history: inout HistoryWriter?, _ keys: inout KeyAllocator) throws {
        guard history != nil else { return }
        for (space, rows) in plan.deleted.keysBySpace.sorted(by: { $0.key.number < $1.key.number }) {
            guard let entityIndex = spaces.entityIndex(of: space) else { continue }
            try history?.willDelete(entityIndex, rows: rows, &keys)
        }
        for part in ClearedPart.parts(of: plan.cleared) {
            guard let entityIndex = spaces.entityIndex(of: part.space) else { continue }
            let relationships = part.relationships.compactMap { map.model[entityIndex].relationships.element($0) }
            try history?.updated(
                entityIndex, rows: part.keys, slots: relationships.compactMap(\.slot),
                toMany: relationships.filter { !$0.isToOne }.map(\.index), &keys)
        }
    }

    // MARK: Files

    /// Returns the files with external values of the rows.
    func files(of rows: RowSet, _ connection: Connection) throws -> [String] {
        var names: [String] = []
        for (space, keys) in rows.keysBySpace {
            guard let entityIndex = spaces.entityIndex(of: space) else { continue }
            for column in map.entities[entityIndex].columns {
                guard let column, column.isExternal else { continue }
                names += try files(in: column.name, of: map.entities[entityIndex].table, keys, connection)
            }
        }
        return names
    }

    func files(
        in column: String, of table: String, _ keys: KeySet, _ connection: Connection
    ) throws -> [String] {
        let sql =
            "SELECT \(column) FROM \(table) WHERE \(SystemTables.keyColumn) IN \(SQLNames.listedValues) "
            + "AND substr(\(column), 1, 1) = \(ExternalData.fileTagLiteral)"
        return try connection.withStatement(sql) { statement in
            try statement.bind(ValueList(keys.keys), at: 1)
            var names: [String] = []
            while try statement.step() {
                if let name = ExternalData.fileName(in: statement.bytes(at: 0)) { names.append(name) }
            }
            return names
        }
    }
}
