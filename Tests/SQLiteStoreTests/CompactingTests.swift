import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Files written anew")
struct CompactingTests {
    @Test("the new file is made among temporary files, not in memory; later sorts are in memory again")
    func temporaryFiles() throws {
        let zoo = try ZooStore(.file)
        try zoo.insert("Animal", ["name": .text("Ida")])
        #expect(try zoo.rows("PRAGMA temp_store") == [[.integer(2)]])
        zoo.log.clear()
        try zoo.store.compact()
        let texts = zoo.log.statements
        let place = try #require(texts.firstIndex(of: "VACUUM"))
        #expect(texts[place - 1] == "PRAGMA temp_store = FILE")
        #expect(texts[place + 1] == "PRAGMA temp_store = MEMORY")
        #expect(try zoo.rows("PRAGMA temp_store") == [[.integer(2)]])
    }

    @Test("it is not begun where the disk has no room for it")
    func fullDisk() throws {
        let zoo = try ZooStore(.file)
        var environment = JobEnvironment()
        environment.freeBytes = { _ in 100 }
        let error = #expect(throws: StoreAccessError.self) { try zoo.store.compact(environment) }
        guard case .notEnoughDisk(_, available: 100)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        environment.freeBytes = { _ in nil }
        #expect(try zoo.store.compact(environment))
    }
}
