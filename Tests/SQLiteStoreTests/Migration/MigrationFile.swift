import Foundation
import ObjectGraph
import StoreSQL
import TestSupport
import Testing

@testable import SQLiteStore

/// A store's file in a folder of its own, which is removed with it.
final class MigrationFile {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    var url: URL { folder.appendingPathComponent("old.store") }

    init() throws { temporary = try TemporaryFolder() }

    func open(_ model: Model) throws -> SQLiteStore { try SQLiteStore(model: model, location: .file(url)) }

    func migrate(to model: Model, _ setUp: (inout StoreMigration) -> Void = { _ in }) throws -> StoreMigration.Outcome {
        var migration = StoreMigration(url, to: model)
        setUp(&migration)
        return try migration.run()
    }

    func query(_ sql: String) throws -> [[Cell]] {
        let connection = try Connection(.file(url), access: .readOnly)
        let statement = try connection.prepare(sql)
        var rows: [[Cell]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map { statement.cell(at: $0) }) }
        return rows
    }

    /// Inserts rows of one entity.
    @discardableResult
    func insert(_ entity: String, _ rows: [[String: Value]], _ store: SQLiteStore) throws -> [ObjectID] {
        let entity = try #require(store.model.entity(named: entity))
        var changes = ChangeSet()
        changes.insertions = rows.map { row in
            let values = entity.slots.indices.map { row[entity.propertyName(ofSlot: $0)] ?? .null }
            return ChangeSet.Insertion(
                id: .temporary(entityName: entity.name), entityIndex: entity.index, values: SlotValues(values))
        }
        guard case .saved(let saved) = try store.save(changes) else {
            Issue.record("a conflict without another writer")
            return []
        }
        return saved.inserted.map(\.id)
    }

    /// The schema statements of a file, spaced alike, without those of this library's tables.
    static func schema(_ url: URL) throws -> Set<String> {
        let connection = try Connection(.file(url), access: .readOnly)
        let statement = try connection.prepare("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
        var texts: Set<String> = []
        while try statement.step() {
            texts.insert(String(statement.text(at: 0).filter { !$0.isWhitespace }))
        }
        return texts
    }

    /// The statements that create a new file of a model.
    static func freshSchema(_ model: Model) throws -> Set<String> {
        let fresh = try MigrationFile()
        _ = try fresh.open(model)
        return try schema(fresh.url)
    }
}
