import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Compacting files")
struct CompactingTests {
    @Test("the new file is written to a temporary file, not to memory; later sorts are in memory again")
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

    @Test("after an erasure, secure_delete has its former setting", arguments: ["OFF", "FAST", "ON"])
    func overwriting(_ setting: String) throws {
        let zoo = try ZooStore(.file)
        try zoo.store.pool.withWriter { try $0.execute("PRAGMA secure_delete = \(setting)") }
        func current() throws -> Int64 {
            try zoo.store.pool.withWriter { connection in
                try connection.withStatement("PRAGMA secure_delete") { try $0.step() ? $0.integer(at: 0) : -1 }
            }
        }
        let before = try current()
        try zoo.insert("Animal", ["name": .text("Ida")])
        _ = try zoo.store.erase(DeleteRequest(.everything))
        #expect(try current() == before)
        try zoo.insert("Animal", ["name": .text("Ida")])
        #expect(throws: DeleteError.self) {
            try zoo.store.erase(DeleteRequest(.everything), expecting: DeletePlan())
        }
        #expect(try current() == before)
    }

    @Test("an erasure is refused if the disk has no room to compact the file")
    func erasureOnFullDisk() throws {
        let zoo = try ZooStore(.file)
        try zoo.insert("Animal", ["name": .text("Ida")])
        var request = DeleteRequest(.everything)
        request.recovery = .archived()
        _ = try zoo.store.delete(request)
        try zoo.insert("Animal", ["name": .text("Ada")])
        var environment = JobEnvironment()
        environment.freeBytes = { _ in 100 }
        let transactions = try zoo.store.eraseTraces().transactions
        for request in [nil, DeleteRequest(.everything)] {
            #expect(throws: StoreAccessError.self) { try zoo.store.erase(request, environment) }
        }
        let left = try zoo.store.eraseTraces()
        #expect(left.archivedDeletes.count == 1 && left.transactions == transactions && transactions > 0)
        #expect(try zoo.rows("SELECT count(*) FROM ZANIMAL") == [[.integer(1)]])
    }

    @Test("compacting is refused if the disk has no room for it")
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
