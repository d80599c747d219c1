import Foundation
import ObjectGraph
import StoreSQL
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Connection")
struct ConnectionTests {
    private func rows(_ connection: Connection, _ sql: String) throws -> [[Cell]] {
        let statement = try connection.prepare(sql)
        var rows: [[Cell]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map { statement.cell(at: $0) }) }
        return rows
    }

    @Test("every kind of value is read as it was bound")
    func roundTrip() throws {
        let connection = try Connection(.memory, access: .create)
        let uuid = UUID()
        let statement = try connection.prepare("SELECT ?, ?, ?, ?, ?, ?, ?")
        try statement.bind(Int64.min, at: 1)
        try statement.bind(0.1, at: 2)
        try statement.bind("Zoë\0🦊", at: 3)
        try statement.bind(Data([0, 255]), at: 4)
        try statement.bind(uuid, at: 5)
        try statement.bindNull(at: 6)
        try statement.bind("", at: 7)
        #expect(try statement.step())
        #expect(statement.integer(at: 0) == Int64.min)
        #expect(statement.real(at: 1) == 0.1)
        #expect(statement.text(at: 2) == "Zoë\0🦊")
        #expect(statement.bytes(at: 3) == Data([0, 255]))
        #expect(statement.uuid(at: 4) == uuid)
        #expect(statement.isNull(at: 5))
        #expect(statement.kind(at: 6) == .text && statement.text(at: 6) == "")
        #expect(try !statement.step())
    }

    @Test("a cached statement is prepared once, and nested use gets another one")
    func statementCache() throws {
        let connection = try Connection(.memory, access: .create)
        let before = connection.preparedCount
        for _ in 0..<3 { try connection.withStatement("SELECT 1") { try $0.run() } }
        #expect(connection.preparedCount == before + 1)
        try connection.withStatement("SELECT 1") { outer in
            _ = try outer.step()
            try connection.withStatement("SELECT 1") { inner in #expect(inner !== outer) }
        }
        #expect(connection.preparedCount == before + 2)
    }

    @Test("an error contains code and statement, never the bound values")
    func errorText() throws {
        let connection = try Connection(.memory, access: .create)
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        let error = #expect(throws: SQLiteError.self) {
            for _ in 0..<2 {
                try connection.withStatement("INSERT INTO t VALUES (?)") {
                    try $0.bind("secret", at: 1)
                    try $0.run()
                }
            }
        }
        #expect(error?.isUniqueViolation == true)
        #expect(error?.extendedCode == 2067)
        #expect(error?.sql == "INSERT INTO t VALUES (?)")
        #expect(error?.description.contains("secret") == false)
        let syntax = #expect(throws: SQLiteError.self) { try connection.prepare("SELEC 1") }
        #expect(syntax?.code == 1)
        #expect(throws: SQLiteError.self) { try connection.prepare("") }
    }

    @Test("a file that is no database is refused each time, and is unchanged", arguments: [512, 5_000])
    func noDatabase(size: Int) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("text.txt")
        let content = Data(repeating: 65, count: size)
        try content.write(to: url)
        for _ in 0..<50 {
            for access in [Connection.Access.readOnly, .readWrite, .create] {
                let error = #expect(throws: SQLiteError.self) { try Connection(.file(url), access: access) }
                #expect(error?.isNotADatabase == true)
            }
        }
        #expect(try Data(contentsOf: url) == content)
    }

    @Test("a transaction whose body throws is rolled back")
    func rollback() throws {
        struct Stop: Error {}
        let connection = try Connection(.memory, access: .create)
        try connection.execute("CREATE TABLE t (a)")
        #expect(throws: Stop.self) {
            try connection.inTransaction(.immediate) {
                try connection.execute("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try rows(connection, "SELECT count(*) FROM t") == [[.integer(0)]])
        try connection.inTransaction(.immediate) { try connection.execute("INSERT INTO t VALUES (1)") }
        #expect(try rows(connection, "SELECT count(*) FROM t") == [[.integer(1)]])
    }

    @Test("withTemporaryFiles rethrows an error, and no write is possible until the temporary triggers are restored")
    func temporaryTriggers() throws {
        struct Stop: Error {}
        let connection = try Connection(.memory, access: .create)
        let makeTable = "CREATE TABLE t (a)"
        try connection.execute(makeTable)
        try connection.execute("CREATE TABLE seen (a)")
        try connection.addTemporary([
            "CREATE TEMP TRIGGER IF NOT EXISTS noting AFTER INSERT ON t BEGIN INSERT INTO seen VALUES (new.a); END"
        ])
        #expect(throws: Stop.self) {
            try connection.withTemporaryFiles {
                try connection.execute("DROP TABLE t")
                throw Stop()
            }
        }
        #expect(throws: SQLiteError.self) {
            try connection.inTransaction(.immediate) { try connection.execute("INSERT INTO seen VALUES (0)") }
        }
        try connection.execute(makeTable)
        try connection.inTransaction(.immediate) { try connection.execute("INSERT INTO t VALUES (1)") }
        #expect(try rows(connection, "SELECT a FROM seen") == [[.integer(1)]])
        #expect(try connection.withTemporaryFiles { 5 } == 5)
    }

    @Test("a copy over another database can be stopped before any of its contents are lost, however small the source")
    func stoppedCopy() throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let source = try Connection(.file(folder.appendingPathComponent("source")), access: .create)
        try source.execute("PRAGMA user_version = 7")
        let target = try Connection(.file(folder.appendingPathComponent("target")), access: .create)
        try target.execute("CREATE TABLE t (a)")
        #expect(try rows(source, "PRAGMA page_count") == [[.integer(1)]])
        #expect(throws: Stop.self) { try source.copyContent(to: target) { throw Stop() } }
        #expect(try rows(target, "SELECT count(*) FROM t") == [[.integer(0)]])
        try source.copyContent(to: target)
        #expect(try rows(target, "PRAGMA user_version") == [[.integer(7)]])
    }

    @Test("lists of any length and kind are read as rows, other parameters as none")
    func valueList() throws {
        let connection = try Connection(.memory, access: .create)
        let sql = "SELECT value FROM OSDValues(?)"
        let sum = try connection.prepare("SELECT count(*), sum(value) FROM OSDValues(?)")
        try sum.bind(ValueList(1...200_000), at: 1)
        #expect(try sum.step())
        #expect(sum.integer(at: 0) == 200_000)
        #expect(sum.integer(at: 1) == 200_000 * 200_001 / 2)
        let cells: [Cell] = [.text("a"), .real(1.5), .null, .bytes(Data([7])), .integer(-1)]
        try connection.withStatement(sql) { statement in
            try statement.bind(ValueList(cells: cells), at: 1)
            var read: [Cell] = []
            while try statement.step() { read.append(statement.cell(at: 0)) }
            #expect(read == cells)
        }
        try connection.withStatement(sql) { statement in
            try statement.bind(Int64(5), at: 1)
            #expect(try !statement.step())
        }
        #expect(throws: SQLiteError.self) { try connection.prepare("SELECT value FROM OSDValues").run() }
    }

    @Test("a list joined on both sides of a query serves every loop")
    func valueListNested() throws {
        let connection = try Connection(.memory, access: .create)
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        for key in 1...10 { try connection.execute("INSERT INTO t VALUES (\(key))") }
        let statement = try connection.prepare("SELECT a FROM t WHERE a IN (SELECT value FROM OSDValues(?)) ORDER BY a")
        try statement.bind(ValueList([9, 2, 2, 77]), at: 1)
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.integer(at: 0)) }
        #expect(keys == [2, 9])
    }

    @Test("the functions of Apple's triggers exist and return NULL")
    func triggerFunctions() throws {
        let connection = try Connection(.memory, access: .create)
        for name in [
            "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        ] {
            #expect(try rows(connection, "SELECT \(name)('T', 1, 2, 'a', 3)") == [[.null]])
        }
        try connection.execute("CREATE TABLE t (a)")
        try connection.execute(
            "CREATE TRIGGER g AFTER INSERT ON t BEGIN "
                + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('T', 1, 2, 'a', NEW.a); END")
        try connection.execute("INSERT INTO t VALUES (1)")
    }

    @Test("arithmetic gives NULL on overflow of 64 bits")
    func arithmetic() throws {
        let connection = try Connection(.memory, access: .create)
        let result = try rows(
            connection,
            "SELECT OSDAdd(\(Int64.max), 1), OSDDivide(7, 2), OSDDivide(-7, 2), OSDDivide(1, 0), OSDMultiply(3, 1.5), "
                + "OSDSubtract(1, NULL), OSDRemainder(-7, 2), OSDAdd('1', 1)")
        #expect(
            result == [[.null, .integer(3), .integer(-3), .null, .real(4.5), .null, .integer(-1), .null]])
    }

    @Test("sums of integers stay integers and overflow to NULL")
    func sums() throws {
        let connection = try Connection(.memory, access: .create)
        func sum(_ list: String) throws -> [Cell] {
            try rows(connection, "SELECT OSDSum(column1) FROM (VALUES \(list))")[0]
        }
        #expect(try sum("(1), (2), (NULL)") == [.integer(3)])
        #expect(try sum("(1), (2.5)") == [.real(3.5)])
        #expect(try sum("(\(Int64.max)), (1)") == [.null])
        #expect(try rows(connection, "SELECT OSDSum(1) WHERE 0") == [[.integer(0)]])
    }

    @Test("a path that looks like a URI is a plain file name")
    func uriPath() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("file:x?mode=memory#%20")
        let connection = try Connection(.file(url), access: .create)
        try connection.execute("CREATE TABLE t (a)")
        #expect(FileManager.default.fileExists(atPath: url.path))
        let reader = try Connection(.file(url), access: .readOnly)
        #expect(try rows(reader, "SELECT count(*) FROM t") == [[.integer(0)]])
        #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
    }

    @Test("opening a missing file without creating it fails")
    func absentFile() {
        let url = URL(fileURLWithPath: "/nonexistent-\(UUID().uuidString)/x.store")
        for access in [Connection.Access.readOnly, .readWrite, .create] {
            let error = #expect(throws: SQLiteError.self) { try Connection(.file(url), access: access) }
            #expect(error?.isCannotOpen == true)
        }
    }

    @Test("an interrupted statement throws")
    func interrupt() throws {
        let connection = try Connection(.memory, access: .create)
        connection.onStatement = nil
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        let statement = try connection.prepare(endless)
        #expect(try statement.step())
        connection.interrupt()
        let error = #expect(throws: SQLiteError.self) { try statement.run() }
        #expect(error?.isInterrupt == true)
    }

    @Test("a lock that is not released ends in a busy error after the timeout")
    func busy() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("busy.store")
        let first = try Connection(.file(url), access: .create)
        try first.configureNewFile()
        let second = try Connection(.file(url), access: .readWrite)
        second.busyTimeout = 0.01
        try first.inTransaction(.immediate) {
            let error = #expect(throws: SQLiteError.self) { try second.inTransaction(.immediate) {} }
            #expect(error?.isBusy == true)
        }
        try second.inTransaction(.immediate) {}
    }

    @Test("a pool's readers and writer work concurrently, each connection in one use at a time")
    func pool() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("pool.store")
        let writer = try Connection(.file(url), access: .create)
        try writer.configureNewFile()
        try writer.execute("CREATE TABLE t (a)")
        let pool = try ConnectionPool(location: .file(url), writer: writer, readerLimit: 3)
        let hands = Hands()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let work: (Connection) throws -> Void = { connection in
                        #expect(hands.take(connection))
                        if index.isMultiple(of: 4) {
                            try connection.inTransaction(.immediate) {
                                try connection.execute("INSERT INTO t VALUES (\(index))")
                            }
                        } else {
                            try connection.withStatement("SELECT count(*) FROM t") { _ = try $0.step() }
                        }
                        hands.giveBack(connection)
                    }
                    if index.isMultiple(of: 4) { try pool.withWriter(work) } else { try pool.withReader(work) }
                }
            }
            try await group.waitForAll()
        }
        #expect(hands.seenCount <= 4)
        let count = try pool.withReader { try rows($0, "SELECT count(*) FROM t") }
        #expect(count == [[.integer(50)]])
    }

    @Test("a pool without writer refuses to write, and lends again after a body that throws")
    func poolRefusals() throws {
        struct Stop: Error {}
        let memory = try ConnectionPool(location: .memory, writer: try Connection(.memory, access: .create))
        for _ in 0..<3 { #expect(throws: Stop.self) { try memory.withReader { _ in throw Stop() } } }
        let readOnly = try ConnectionPool(location: .memory, writer: nil)
        #expect(throws: StoreAccessError.readOnly) { try readOnly.withWriter { _ in } }
    }

    @Test("Virtual tables of unavailable modules are ignored")
    func virtualTables() throws {
        let connection = try Connection(.memory, access: .create)
        try connection.execute("CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR)")
        try connection.execute("PRAGMA writable_schema = ON")
        try connection.execute(
            "INSERT INTO sqlite_master VALUES ('table', 'V', 'V', 0, 'CREATE VIRTUAL TABLE V USING absent(x)')")
        try connection.execute("PRAGMA writable_schema = RESET")
        let tables = try FileTables(connection)
        #expect(tables.table("zitem")?.columns == ["Z_PK", "ZNAME"])
        #expect(tables.table("V") == nil)
    }
}

/// The connections in use.
private final class Hands: Sendable {
    private struct State {
        var held: Set<ObjectIdentifier> = []
        var seen: Set<ObjectIdentifier> = []
    }

    private let state = Mutex(State())

    /// - Returns: `false` if it is in use already.
    func take(_ connection: Connection) -> Bool {
        state.withLock {
            $0.seen.insert(ObjectIdentifier(connection))
            return $0.held.insert(ObjectIdentifier(connection)).inserted
        }
    }

    func giveBack(_ connection: Connection) {
        _ = state.withLock { $0.held.remove(ObjectIdentifier(connection)) }
    }

    var seenCount: Int { state.withLock { $0.seen.count } }
}
