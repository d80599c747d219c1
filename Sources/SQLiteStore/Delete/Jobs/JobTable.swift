import Foundation
import ObjectGraph
import StoreSQL

/// Reads and writes the table of long deletes, within the caller's transaction.
struct JobTable {
    private typealias Names = JobTables
    let connection: Connection

    private struct Choices: Codable {
        var options: DeleteJobOptions
        var checksCounts: Bool
        /// Whether counts are checked by the rule `notEmpty`; absent in older files.
        var refusesEmpty: Bool?

        init(_ record: DeleteJobRecord) {
            options = record.options
            checksCounts = record.counts == .checked
            refusesEmpty = record.counts == .notEmpty
        }

        var counts: DeleteRequest.CountRule {
            if checksCounts { return .checked }
            return refusesEmpty == true ? .notEmpty : .unchecked
        }
    }

    var exists: Bool {
        get throws {
            try connection.withStatement("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?") { statement in
                try statement.bind(Names.table, at: 1)
                return try statement.step()
            }
        }
    }

    // MARK: Reading

    private static let columns = [
        Names.id, Names.author, Names.created, Names.options, Names.rowsDone, Names.rowsTotal, Names.chunkCount,
    ].joined(separator: ", ")

    /// Returns all records, oldest first. Skips invalid rows.
    func records() throws -> [DeleteJobRecord] {
        guard try exists else { return [] }
        return try connection.withStatement(
            "SELECT \(Self.columns) FROM \(Names.table) ORDER BY \(Names.created), \(Names.id)"
        ) { statement in
            var records: [DeleteJobRecord] = []
            while try statement.step() {
                if let record = record(statement) { records.append(record) }
            }
            return records
        }
    }

    /// - Throws: `DeleteJobError.unknownJob`, `otherModel`, `damagedRecord`.
    func job(_ id: UUID, _ spaces: EntitySpaces, _ model: Model) throws -> (record: DeleteJobRecord, roots: RowSet) {
        guard try exists else { throw DeleteJobError.unknownJob(id) }
        return try connection.withStatement(
            "SELECT \(Self.columns), \(Names.roots), \(Names.model) FROM \(Names.table) WHERE \(Names.id) = ?"
        ) { statement in
            try statement.bind(id.uuidString, at: 1)
            guard try statement.step() else { throw DeleteJobError.unknownJob(id) }
            guard statement.text(at: 8) == model.digest else { throw DeleteJobError.otherModel(id) }
            let roots = RootsCoding.rows(statement.bytes(at: 7)) { name in
                model.entity(named: name).map { spaces.spaces[$0.index] }
            }
            guard let record = record(statement), let roots else { throw DeleteJobError.damagedRecord(id) }
            return (record, roots)
        }
    }

    private func record(_ statement: Statement) -> DeleteJobRecord? {
        let choices = try? JSONDecoder().decode(Choices.self, from: Data(statement.text(at: 3).utf8))
        guard let id = UUID(uuidString: statement.text(at: 0)), let choices else { return nil }
        return DeleteJobRecord(
            id: id, author: statement.optionalText(at: 1),
            created: Date(timeIntervalSinceReferenceDate: statement.real(at: 2)),
            options: choices.options.withinLimits, counts: choices.counts,
            rowsDone: count(statement.integer(at: 4), atMost: Self.mostRows),
            rowsTotal: count(statement.integer(at: 5), atMost: Self.mostRows),
            chunkCount: count(statement.integer(at: 6), atMost: Self.mostChunks))
    }

    /// Far above the capacity of a file; still safe to add to.
    private static let mostRows = Int64.max / 2
    /// Far above any practical number of chunks: each has a token, and all tokens are listed.
    private static let mostChunks: Int64 = 1 << 24

    /// Converts a stored number, which may have any value, to a count within limits.
    private func count(_ number: Int64, atMost most: Int64) -> Int { Int(clamping: min(max(0, number), most)) }

    // MARK: Writing

    func insert(_ record: DeleteJobRecord, roots: RowSet, _ model: Model) throws {
        if try !exists { try connection.execute(Names.createStatement) }
        let text = String(decoding: try JSONEncoder().encode(Choices(record)), as: UTF8.self)
        let sql =
            "INSERT INTO \(Names.table) (\(Self.columns), \(Names.roots), \(Names.model)) "
            + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        try connection.withStatement(sql) { statement in
            try statement.bind(record.id.uuidString, at: 1)
            if let author = record.author { try statement.bind(author, at: 2) } else { try statement.bindNull(at: 2) }
            try statement.bind(record.created.timeIntervalSinceReferenceDate, at: 3)
            try statement.bind(text, at: 4)
            try statement.bind(Int64(record.rowsDone), at: 5)
            try statement.bind(Int64(record.rowsTotal), at: 6)
            try statement.bind(Int64(record.chunkCount), at: 7)
            try statement.bind(RootsCoding.data(roots), at: 8)
            try statement.bind(model.digest, at: 9)
            try statement.run()
        }
    }

    /// Counts one more chunk.
    /// - Throws: `DeleteJobError.unknownJob` if the job has been dropped.
    func advance(_ id: UUID, rows: Int, total: Int) throws {
        guard try exists else { throw DeleteJobError.unknownJob(id) }
        let sql =
            "UPDATE \(Names.table) SET \(Names.rowsDone) = \(Names.rowsDone) + ?, \(Names.rowsTotal) = ?, "
            + "\(Names.chunkCount) = \(Names.chunkCount) + 1 WHERE \(Names.id) = ?"
        try connection.withStatement(sql) { statement in
            try statement.bind(Int64(rows), at: 1)
            try statement.bind(Int64(total), at: 2)
            try statement.bind(id.uuidString, at: 3)
            try statement.run()
        }
        guard connection.changeCount == 1 else { throw DeleteJobError.unknownJob(id) }
    }

    // MARK: Files

    private var hasFiles: Bool {
        get throws {
            try connection.withStatement("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2") { statement in
                try statement.bind(Names.table, at: 1)
                try statement.bind(Names.files, at: 2)
                return try statement.step()
            }
        }
    }

    /// Returns files of deleted rows that may still exist.
    func oldFiles(_ id: UUID) throws -> [String] {
        guard try exists, try hasFiles else { return [] }
        return try connection.withStatement("SELECT \(Names.files) FROM \(Names.table) WHERE \(Names.id) = ?") {
            statement in
            try statement.bind(id.uuidString, at: 1)
            guard try statement.step(), let names = statement.optionalText(at: 0) else { return [] }
            return names.split(separator: " ").map(String.init)
        }
    }

    /// Notes the files that become unreferenced with the commit, replacing those of the chunk before.
    func note(oldFiles names: [String], _ id: UUID) throws {
        if try !hasFiles {
            if names.isEmpty { return }
            try connection.execute(Names.addFilesStatement)
        }
        try connection.withStatement("UPDATE \(Names.table) SET \(Names.files) = ? WHERE \(Names.id) = ?") {
            statement in
            try statement.bind(names.joined(separator: " "), at: 1)
            try statement.bind(id.uuidString, at: 2)
            try statement.run()
        }
    }

    /// Removes the job's record, and the table with the last one.
    /// - Throws: `DeleteJobError.unknownJob`.
    func remove(_ id: UUID) throws {
        guard try exists else { throw DeleteJobError.unknownJob(id) }
        try connection.withStatement("DELETE FROM \(Names.table) WHERE \(Names.id) = ?") { statement in
            try statement.bind(id.uuidString, at: 1)
            try statement.run()
        }
        guard connection.changeCount == 1 else { throw DeleteJobError.unknownJob(id) }
        let isEmpty = try connection.withStatement("SELECT 1 FROM \(Names.table) LIMIT 1") { try !$0.step() }
        if isEmpty { try connection.execute("DROP TABLE \(Names.table)") }
    }
}
