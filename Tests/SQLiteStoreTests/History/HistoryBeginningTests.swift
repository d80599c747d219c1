import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Opening files with and without history")
struct HistoryBeginningTests {
    private func open(
        _ zoo: ZooStore, _ existing: SQLiteStore.Options.ExistingHistory, isReadOnly: Bool = false
    ) throws -> SQLiteStore {
        var options = SQLiteStore.Options()
        options.existingHistory = existing
        return try SQLiteStore(
            model: zoo.model, location: .file(try #require(zoo.url)), isReadOnly: isReadOnly, options: options)
    }

    private func schema(_ url: URL?) throws -> [String] {
        let connection = try Connection(.file(try #require(url)), access: .readOnly)
        let sql = "SELECT sql FROM sqlite_master WHERE tbl_name LIKE 'A%' AND sql NOT NULL ORDER BY rootpage"
        return try connection.withStatement(sql) { statement in
            var texts: [String] = []
            while try statement.step() { texts.append(statement.text(at: 0)) }
            return texts
        }
    }

    private func insertTag(_ zoo: ZooStore, _ store: SQLiteStore) throws {
        var changes = ChangeSet()
        changes.insertions = [try zoo.insertion("Tag", [:])]
        guard case .saved = try store.save(changes) else { throw StoreAccessError.readOnly }
    }

    @Test("a file without history gets the tables of a new file, and history from then on")
    func begun() throws {
        let zoo = try ZooStore(.file, history: .without)
        try zoo.insert("Tag", [:])
        #expect(try schema(zoo.url).isEmpty)
        let store = try open(zoo, .begun)
        let new = try ZooStore(.file)
        #expect(try schema(zoo.url) == schema(new.url))
        #expect(store.recordsHistory)
        #expect(try store.wholeHistory(HistoryQuery()).isEmpty)
        try insertTag(zoo, store)
        let history = try store.wholeHistory(HistoryQuery())
        #expect(history.map(\.number) == [1])
        #expect(history.first?.changes.map(\.id.key) == [2])
        let again = try open(zoo, .begun)
        #expect(try again.wholeHistory(HistoryQuery()) == history)
    }

    @Test("a file without history is unchanged, unless a writable store is to begin one")
    func leftAlone() throws {
        let zoo = try ZooStore(.file, history: .without)
        for store in [
            try open(zoo, .asInFile), try open(zoo, .openedReadOnly), try open(zoo, .begun, isReadOnly: true),
        ] {
            #expect(!store.recordsHistory)
            #expect(try schema(zoo.url).isEmpty)
        }
        let store = try open(zoo, .openedReadOnly)
        #expect(!store.isReadOnly)
        try insertTag(zoo, store)
    }

    @Test("a file with history is continued, or opened read-only by a store without history")
    func existing() throws {
        let zoo = try ZooStore(.file)
        try zoo.insert("Tag", [:])
        for existing in [SQLiteStore.Options.ExistingHistory.asInFile, .begun] {
            let store = try open(zoo, existing)
            #expect(!store.isReadOnly)
            try insertTag(zoo, store)
        }
        let reader = try open(zoo, .openedReadOnly)
        #expect(reader.isReadOnly)
        #expect(throws: StoreAccessError.readOnly) { try insertTag(zoo, reader) }
        #expect(try reader.wholeHistory(HistoryQuery()).map(\.number) == [1, 2, 3])
    }
}
