import ObjectGraph
import StoreSQL

/// Searches a file for faults by its storage map. Each query is one statement over a table, whatever its row count; the
/// caller holds a transaction around all of them, so that the findings describe one state.
///
/// Files beside the store are outside of that transaction: while another connection saves, its new files may be reported
/// as unreferenced.
struct StoreChecker {
    let layout: CheckLayout
    let spaces: EntitySpaces
    let externalData: ExternalData?
    let history: HistoryLayout?
    let connection: Connection

    var map: StorageMap { layout.map }
    var model: Model { layout.map.model }

    /// Returns all findings, the most serious topics first: the file itself, links, rows, files beside the store.
    /// - Throws: `SQLiteError`, `ExternalDataError`.
    func findings(_ meter: ProgressMeter) throws -> [StoreFinding] {
        let tasks = tasks
        var progress = CheckProgress(tasks, meter, connection)
        let damage = try progress.checkingIntegrity(connection) { try self.damage() }
        var findings = damage.map { [$0] } ?? []
        for task in tasks {
            defer { progress.finished(task) }
            do {
                findings += try task.findings()
            } catch let error as SQLiteError where error.isNotADatabase && damage != nil {
                // The damage is already reported. Findings from the readable parts of a damaged file are reported, too.
                continue
            }
        }
        return findings
    }

    private var tasks: [CheckTask] {
        danglingKeys + halfSetInverses + halfSetMembers() + strayJoinRows + orphans + missingValues + unfitValues
            + staleValues
            + uniquenessFaults + unusableEntities + [CheckTask(nil, lowCounters)] + orderFaults + countFaults + [
                CheckTask(nil, fileFaults), CheckTask(nil, foreignTriggers),
            ]
    }

    /// Runs SQLite's integrity check.
    func damage() throws -> StoreFinding? {
        var complaints: [String] = []
        do {
            try connection.withStatement("PRAGMA integrity_check") { statement in
                while try statement.step() { complaints += Self.complaints(in: statement.text(at: 0)) }
            }
        } catch let error as SQLiteError where error.isNotADatabase {
            complaints.append(error.message)
        }
        if complaints.isEmpty || complaints == ["ok"] { return nil }
        return StoreFinding(.damagedFile, .error, entity: nil, count: complaints.count, messages: complaints)
    }

    private func foreignTriggers() throws -> [StoreFinding] {
        let triggers = try FileSchema.foreignTriggers(connection)
        if triggers.isEmpty { return [] }
        return [
            StoreFinding(
                .foreignTrigger, .warning, entity: nil, count: triggers.count,
                messages: triggers.map { "\($0.name) on \($0.table)" })
        ]
    }

    /// Splits SQLite's report into complaints, one per line, without the line that names the database.
    private static func complaints(in text: String) -> [String] {
        text.split(separator: "\n").filter { !$0.hasPrefix("***") }.map(String.init)
    }

    // MARK: Queries

    /// A query for the rows `r` of a table that fulfil a condition.
    struct Question {
        let kind: StoreFinding.Kind
        let severity: StoreFinding.Severity
        let entity: Entity
        let property: String?
        let table: String
        let condition: String
    }

    /// Counts the rows and returns examples, with one statement.
    func answer(_ question: Question) throws -> StoreFinding? {
        let (count, examples) = try sample(
            "SELECT r.\(SystemTables.keyColumn), r.\(SystemTables.entityColumn), count(*) OVER () "
                + "FROM \(question.table) r WHERE \(question.condition) ORDER BY r.\(SystemTables.keyColumn)",
            question.entity)
        guard count > 0 else { return nil }
        return StoreFinding(
            question.kind, question.severity, entity: question.entity.name, property: question.property, count: count,
            examples: examples)
    }

    /// - Parameter sql: A statement that selects key, entity number and total row count.
    func sample(_ sql: String, _ entity: Entity) throws -> (count: Int, examples: [ObjectID]) {
        try connection.withStatement("\(sql) LIMIT \(StoreFinding.exampleLimit)") { statement in
            var count = 0
            var examples: [ObjectID] = []
            while try statement.step() {
                examples.append(id(key: statement.integer(at: 0), number: statement.integer(at: 1), entity))
                count = Int(statement.integer(at: 2))
            }
            return (count, examples)
        }
    }

    /// Returns all matching rows, without a limit.
    func rows(table: String, where condition: String, _ entity: Entity) throws -> [ObjectID] {
        let sql =
            "SELECT r.\(SystemTables.keyColumn), r.\(SystemTables.entityColumn) FROM \(table) r "
            + "WHERE \(condition) ORDER BY r.\(SystemTables.keyColumn)"
        return try connection.withStatement(sql) { statement in
            var ids: [ObjectID] = []
            while try statement.step() {
                ids.append(id(key: statement.integer(at: 0), number: statement.integer(at: 1), entity))
            }
            return ids
        }
    }

    /// Returns the row's identifier. A row of an unknown entity gets the entity that was queried.
    func id(key: Int64, number: Int64, _ entity: Entity) -> ObjectID {
        spaces.id(entityIndex: entityIndex(number) ?? entity.index, key: key)
    }

    func entityIndex(_ number: Int64) -> Int? { Int(exactly: number).flatMap { map.entityIndexByNumber[$0] } }
}
