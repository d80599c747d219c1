import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreBrowser
@testable import StoreInspection

/// Row counts of a file that another program writes.
@Suite("Followed row counts")
struct FollowedCountsTests {
    /// A program that has a file open, and the counts of the file's states.
    private final class Counted {
        private let temporary: TemporaryFolder
        let url: URL
        let writer: SQLiteStore
        var followed: FollowedCounts?

        init() throws {
            temporary = try TemporaryFolder("counted")
            url = temporary.appendingPathComponent("a.store")
            var animal = EntityDescription("Animal")
            animal.attributes = [Attribute("name", .string)]
            var bird = EntityDescription("Bird", superentity: "Animal")
            bird.attributes = [Attribute("span", .integer64, optional: true)]
            var cage = EntityDescription("Cage")
            cage.attributes = [Attribute("name", .string)]
            writer = try SQLiteStore(model: Model([animal, bird, cage]), location: .file(url))
        }

        func insert(_ names: [String]) throws {
            var changes = ChangeSet()
            for name in names { _ = changes.insert(name, ["name": .text("x")], in: writer.model) }
            _ = try writer.save(changes)
        }

        /// Deletes any row of an entity, if there is one.
        func delete(_ entityIndex: Int) throws {
            guard let row = try any(entityIndex) else { return }
            var changes = ChangeSet()
            changes.deletions = [.init(id: row.id, entityIndex: entityIndex, expectedVersion: row.version)]
            _ = try writer.save(changes)
        }

        /// Edits any row of an entity.
        func edit(_ entityIndex: Int) throws {
            guard let row = try any(entityIndex) else { return }
            var changes = ChangeSet()
            var values = row.values
            values[0] = .text("edited")
            changes.updates = [
                .init(
                    id: row.id, entityIndex: entityIndex, expectedVersion: row.version, values: values,
                    changedSlots: [0],
                    changedToMany: [])
            ]
            _ = try writer.save(changes)
        }

        private func any(_ entityIndex: Int) throws -> Snapshot? {
            var query = Query(entityIndex: entityIndex)
            query.includesSubentities = false
            return try writer.fetch(query).first
        }

        func execute(_ statement: String) throws {
            let connection = try Connection(.file(url), access: .readWrite)
            try connection.execute(statement)
        }

        /// Counts the file's present state.
        /// - Returns: The counts, and the entities that were counted.
        func count() throws -> (values: [Int], counted: [String]) {
            let file = try InspectedFile(url)
            defer { file.close() }
            let store = try file.store()
            let commits = file.untouched.logCommits
            let before = followed?.refetches ?? []
            var counted = store.model.entities.map(\.name)
            if let followed, try followed.update(to: store, commits) {
                let changed = zip(before, followed.refetches).map { $0 != $1 }
                counted = zip(counted, changed).filter(\.1).map(\.0)
            } else {
                followed = try FollowedCounts(store, commits)
            }
            #expect(try followed?.values == store.ownRowCounts())
            return (followed?.values ?? [], counted)
        }
    }

    @Test("After saves, only entities of which rows were inserted or deleted are counted again")
    func followed() throws {
        let file = try Counted()
        try file.insert(["Animal", "Bird", "Bird", "Cage"])
        #expect(try file.count().values == [1, 2, 1])
        try file.insert(["Bird"])
        try file.insert(["Bird"])
        var state = try file.count()
        #expect(state.values == [1, 4, 1] && state.counted == ["Bird"])
        try file.delete(2)
        state = try file.count()
        #expect(state.values == [1, 4, 0] && state.counted == ["Cage"])
        try file.edit(0)
        state = try file.count()
        #expect(state.values == [1, 4, 0] && state.counted.isEmpty)
    }

    @Test("A write that is not in the history is noticed, also beside a save")
    func unrecorded() throws {
        let file = try Counted()
        try file.insert(["Animal", "Bird", "Cage"])
        _ = try file.count()
        try file.execute("DELETE FROM ZCAGE")
        #expect(try file.count().values == [1, 1, 0])
        try file.execute("DELETE FROM ZANIMAL WHERE Z_ENT = 2")
        try file.insert(["Cage"])
        #expect(try file.count().values == [1, 0, 1])
    }

    @Test("All rows are counted after the log was written from its beginning, and then followed again")
    func restarted() throws {
        let file = try Counted()
        try file.insert(["Animal", "Cage"])
        _ = try file.count()
        #expect(try file.writer.checkpoint())
        try file.execute("DELETE FROM ZANIMAL")
        var state = try file.count()
        #expect(state.values == [0, 0, 1] && state.counted == ["Animal", "Bird", "Cage"])
        try file.insert(["Bird"])
        state = try file.count()
        #expect(state.values == [0, 1, 1] && state.counted == ["Bird"])
    }

    @Test("Counts that could not be read are counted again")
    func failed() throws {
        let file = try Counted()
        try file.insert(["Animal", "Cage"])
        _ = try file.count()
        try file.insert(["Bird", "Cage"])
        do {
            let inspected = try InspectedFile(file.url)
            defer { inspected.close() }
            let store = try inspected.store()
            let progress = Progress(totalUnitCount: 1)
            progress.cancel()
            #expect(throws: (any Error).self) {
                try store.reading(until: RowMeter(progress)) {
                    _ = try file.followed?.update(to: store, inspected.untouched.logCommits)
                }
            }
        }
        #expect(try file.count().values == [1, 1, 2])
    }

    @Test("Read sessions of later states have the counts of their own state")
    func sessions() throws {
        let file = try Counted()
        let counts = RowCounts()
        var inspection: Inspection?
        for number in 1...3 {
            try file.insert(["Bird"])
            let opened = try Inspection(file.url, nil, after: inspection) {}
            let session = ReadSession(opened, counts: counts)
            #expect(session.latestRowCounts?.isCurrent != true)
            #expect(try session.rowCounts() == [0, number, 0])
            #expect(session.latestRowCounts?.isCurrent == true)
            inspection = opened
        }
    }

    @Test("Followed counts agree with counting after any writes", arguments: 0..<12 as Range<UInt64>)
    func agreement(seed: UInt64) throws {
        let file = try Counted()
        var random = SeededGenerator(seed: seed)
        var followedStates = 0
        for _ in 0..<25 {
            for _ in 0..<random.roll(3) {
                switch random.roll(11) {
                case 0..<5: try file.insert(random.some(["Animal", "Bird", "Bird", "Cage"], atMost: 4))
                case 5..<7: try file.delete(random.roll(3))
                case 7: try file.edit(random.roll(3))
                case 8: try file.execute("DELETE FROM ZCAGE WHERE Z_PK % 3 = 0")
                default: _ = try file.writer.checkpoint()
                }
            }
            if try file.count().counted.count < 3 { followedStates += 1 }
        }
        #expect(followedStates > 0, "seed \(seed)")
    }
}

extension FollowedCounts {
    fileprivate var refetches: [Int] { counts.map(\.count.results.counts.refetchCount) }
}
