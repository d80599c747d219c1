import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// Files older than the table of interned texts, and files with both kinds of rows.
@Suite("History with texts in place")
struct OldHistoryTests {
    /// - Parameter transactionColumns: columns of the transaction table beside key, number, version and time.
    private func store(_ transactionColumns: String, hasTexts: Bool) throws -> ZooStore {
        let zoo = try ZooStore(.file)
        _ = try zoo.insert("Animal", ["name": .text("Ida")])
        let url = try #require(zoo.url)
        let connection = try Connection(.file(url), access: .readWrite)
        if !hasTexts { try connection.execute("DROP TABLE ATRANSACTIONSTRING") }
        try connection.execute("DROP TABLE ATRANSACTION")
        try connection.execute(
            "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "ZTIMESTAMP TIMESTAMP, \(transactionColumns))")
        return zoo
    }

    private func reopened(_ zoo: ZooStore) throws -> SQLiteStore {
        try SQLiteStore(model: zoo.model, location: .file(try #require(zoo.url)))
    }

    @Test("texts in columns are read, written and pruned")
    func plain() throws {
        let zoo = try store(
            "ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR", hasTexts: false)
        _ = try zoo.rows(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID) "
                + "VALUES (1, 16002, 12.5, 'me', 'org.zoo', 'main', 'zoo')")
        let store = try reopened(zoo)
        var changes = ChangeSet()
        changes.author = "you"
        changes.insertions = [try zoo.insertion("Tag", [:])]
        guard case .saved = try store.save(changes) else {
            Issue.record("conflict")
            return
        }
        let history = try store.history(after: nil)
        #expect(history.map(\.author) == ["me", "you"])
        #expect(history[0].contextName == "main" && history[0].processID == "zoo" && history[0].bundleID == "org.zoo")
        #expect(history[0].timestamp == 12.5)
        #expect(history.map(\.changes.count) == [1, 1])
        #expect(try store.pruneHistory(before: .number(2)) == 1)
        #expect(try store.history(after: nil) == [history[1]])
    }

    @Test("in a file with both, each row keeps its own texts, and missing ones stay missing")
    func mixed() throws {
        let zoo = try store("ZAUTHOR VARCHAR, ZAUTHORTS INTEGER, ZPROCESSIDTS INTEGER", hasTexts: true)
        _ = try zoo.rows("INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (71, 16003, 'new')")
        _ = try zoo.rows(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHOR, ZAUTHORTS, ZPROCESSIDTS) "
                + "VALUES (1, 16002, 1, 'old', NULL, NULL), (2, 16002, 2, NULL, 71, 71), (3, 16002, 3, NULL, 72, NULL)")
        let store = try reopened(zoo)
        let history = try store.history(after: nil)
        #expect(history.map(\.author) == ["old", "new", nil])
        #expect(history.map(\.processID) == [nil, "new", nil])
        #expect(history.allSatisfy { $0.contextName == nil && $0.bundleID == nil })
        #expect(try store.pruneHistory(before: .number(2)) == 1)
        #expect(try zoo.rows("SELECT Z_PK FROM ATRANSACTIONSTRING") == [[.integer(71)]])
    }
}
