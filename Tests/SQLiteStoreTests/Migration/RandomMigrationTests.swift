import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// Random models, random rows, random changes: the expected file is computed separately, without tables.
@Suite("Random migrations")
struct RandomMigrationTests {
    private struct Case {
        let file: MigrationFile
        let source: Model
        let destination: Model
        let expected: LogicalRows
        let steps: [String]

        init(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            file = try MigrationFile()
            var descriptions = RandomStore.descriptions(&random)
            for index in descriptions.indices {
                descriptions[index].attributes.append(
                    Attribute("count\(descriptions[index].name)", .integer16, optional: true))
                descriptions[index].attributes[2].allowsExternalStorage = random.chance(30)
            }
            source = try Model(descriptions)
            let rows: LogicalRows
            do {
                let made = try RandomStore(
                    &random, oneToOne: .paired, rowCount: 40, model: source, location: .file(file.url))
                rows = try LogicalRows(made.store)
            }
            var change = RandomChange(descriptions, rows)
            for _ in 0..<(1 + random.roll(6)) { change.change(&random) }
            destination = try Model(change.descriptions)
            expected = change.expected.settled(destination)
            steps = change.steps
        }
    }

    @Test(
        "after any change, rows and links are the expected ones, and the file equals a new one of the model",
        arguments: Seeds.rounds(40))
    func rows(seed: UInt64) throws {
        let random = try Case(seed: seed)
        let label: Comment = "seed \(seed): \(random.steps)"
        let outcome = try random.file.migrate(to: random.destination)
        let isSame = random.source.versionHashes == random.destination.versionHashes
        #expect((outcome == .nothingToDo) == isSame, label)
        guard !isSame else { return }
        let store = try random.file.open(random.destination)
        let found = try LogicalRows(store).settled(random.destination)
        #expect(found == random.expected, "\(label.rawValue)\n\(found.difference(from: random.expected))")
        #expect(try store.check().filter { $0.severity == .error }.map(\.description) == [], label)
        let (schema, fresh) = (
            try MigrationFile.schema(random.file.url), try MigrationFile.freshSchema(random.destination)
        )
        #expect(schema.subtracting(fresh) == [], label)
        #expect(fresh.subtracting(schema) == [], label)
        #expect(try keyTable(random.file, store) == [], label)
        let cached = try ModelCache.model(try Connection(.file(random.file.url), access: .readOnly))
        #expect(cached?.versionHashes == random.destination.versionHashes, label)
        #expect(try random.file.migrate(to: random.destination) == .nothingToDo, label)
    }

    /// Errors of counters and numbers.
    private func keyTable(_ file: MigrationFile, _ store: SQLiteStore) throws -> [String] {
        let connection = try Connection(.file(file.url), access: .readOnly)
        let rows = try PrimaryKeyTable.rows(connection).filter { $0.number < 16_000 }
        let fresh = PrimaryKeyTable.initialRows(store.model)
        var problems: [String] = []
        if rows.map(\.name) != fresh.map(\.name) || rows.map(\.number) != fresh.map(\.number)
            || rows.map(\.superNumber) != fresh.map(\.superNumber)
        {
            problems.append("rows \(rows)")
        }
        for row in rows {
            guard let entity = store.model.entity(named: row.name), entity.isRoot else { continue }
            let highest = try file.query("SELECT max(Z_PK) FROM \(store.map.entities[entity.index].table)")[0][0]
            if case .integer(let key) = highest, key > row.highestKey { problems.append("\(row.name) \(key)") }
        }
        return problems
    }

    @Test("stopped at any step, the file is unchanged", arguments: Seeds.rounds(6, from: 1000))
    func stopped(seed: UInt64) throws {
        struct Stop: Error {}
        let random = try Case(seed: seed)
        let before = try Contents(try random.file.open(random.source))
        var step = 0
        while true {
            var count = 0
            do {
                _ = try random.file.migrate(to: random.destination) { migration in
                    migration.report = { _, _ in
                        count += 1
                        if count > step { throw Stop() }
                    }
                }
                break
            } catch is Stop {
                let after = try Contents(try random.file.open(random.source))
                #expect(
                    after == before,
                    "seed \(seed), step \(step): \(random.steps)\n\(after.difference(from: before))")
                step += 1
            }
        }
        #expect(random.source.versionHashes == random.destination.versionHashes || step > 3)
        _ = try random.file.open(random.destination)
    }
}
