import AppleFormats
import CoreData
import Foundation
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

/// Stores of Apple's, migrated here, compared with the results of Apple's framework.
@Suite("Migration of Apple's files", .realFiles)
struct AppleMigrationTests {
    private let first = RealFile("coredataplus/SampleModel_V1.sqlite")
    private let second = RealFile("coredataplus/SampleModel_V2.sqlite")

    /// Cells by column, in the order of keys.
    private func rows(_ table: String, _ connection: Connection) throws -> [[String: Cell]] {
        let statement = try connection.prepare("SELECT * FROM \(table) ORDER BY Z_PK")
        var rows: [[String: Cell]] = []
        while try statement.step() {
            var row: [String: Cell] = [:]
            for column in 0..<statement.columnCount { row[statement.columnName(column)] = statement.cell(at: column) }
            rows.append(row)
        }
        return rows
    }

    @Test("SampleModel 1 is migrated to the result of Apple's migration, cell by cell")
    func sampleModel() throws {
        let model = try second.model()
        try first.withCopiedFile { url in
            #expect(try StoreMigration(url, to: model).run() == .migrated)
            let own = try Connection(.file(url), access: .readOnly)
            try second.withCopy { apple in
                for table in ["ZCAR", "ZPERSON"] {
                    let (found, wanted) = (try rows(table, own), try rows(table, apple))
                    #expect(found.count == wanted.count && found == wanted, "\(table)")
                }
                for type in ["table", "index"] {
                    #expect(Set(try schema(own, type: type)) == Set(try schema(apple, type: type)))
                }
                let (metadata, wanted) = (try StoreMetadata(own), try StoreMetadata(apple))
                #expect(metadata.versionHashes == wanted.versionHashes && metadata.digest == wanted.digest)
                let counters = try PrimaryKeyTable.rows(apple).map(\.highestKey)
                #expect(try PrimaryKeyTable.rows(own).map(\.highestKey) == counters)
            }
            let uuid = try first.withCopy { try StoreMetadata($0).uuid }
            #expect(try StoreMetadata(own).uuid == uuid)
            let store = try SQLiteStore(model: model, location: .file(url))
            #expect(try store.check().filter { $0.severity == .error }.map(\.description) == [])
        }
    }

    @Test("SampleModel2 1 gets the tables, indexes and triggers of Apple's migration")
    func sampleModel2() throws {
        let second = RealFile("coredataplus/SampleModel2_V2.sqlite")
        let model = try second.model()
        try RealFile("coredataplus/SampleModel2_V1.sqlite").withCopiedFile { url in
            let before = try facts(url)
            #expect(try StoreMigration(url, to: model).run() == .migrated)
            let own = try Connection(.file(url), access: .readOnly)
            try second.withCopy { apple in
                for type in ["table", "index", "trigger"] {
                    let (found, wanted) = (try schema(own, type: type), try schema(apple, type: type))
                    #expect(Set(found) == Set(wanted), "\(type)")
                }
            }
            let after = try facts(url)
            #expect(after.changes == before.changes && after.counts == before.counts)
            let counted = try rows("ZBOOK", own).map { $0["ZPAGESCOUNT"] ?? .null }
            #expect(!counted.isEmpty && !counted.contains(.null))
            let store = try SQLiteStore(model: model, location: .file(url))
            #expect(try store.check().filter { $0.severity == .error }.map(\.description) == [])
        }
    }

    @Test("SampleModel 1 is migrated as a coordinator adds it, with the program's models")
    func coordinator() throws {
        let folder = RealFile.folder.appendingPathComponent("coredataplus/SampleModel.xcdatamodeld")
        let model = try #require(
            NSManagedObjectModel(contentsOf: folder.appendingPathComponent("SampleModel2.xcdatamodel")))
        try first.withCopiedFile { url in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let options: [String: Any] = [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            ]
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let cars = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Car"))
            let luxury = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "LuxuryCar"))
            #expect(cars == 125 && !luxury.isEmpty)
            let owners = luxury.compactMap { ($0.value(forKey: "owner") as? NSManagedObject)?.entity.name }
            #expect(!owners.isEmpty && owners.allSatisfy { $0 == "Person" })
        }
    }

    @Test(
        "triggers, history and values of other entities stay if an attribute is added",
        arguments: [
            "coredataplus/SampleModel2_V1.sqlite", "cocktails/Cocktails.store", "resources/A/default.store",
            "resources/B/default.store",
        ])
    func added(path: String) throws {
        let apple = RealFile(path)
        let former = try apple.model()
        var descriptions = former.descriptions
        let place = try #require(descriptions.indices.first { descriptions[$0].superentityName == nil })
        var attribute = Attribute("osdNote", .string)
        attribute.defaultValue = [.text("new")]
        descriptions[place].attributes.append(attribute)
        let model = try Model(descriptions, versionIdentifiers: former.versionIdentifiers)
        try apple.withCopiedFile { url in
            let (triggers, changes, others) = try facts(url)
            #expect(try StoreMigration(url, to: model).run() == .migrated)
            let after = try facts(url)
            #expect(after.triggers == triggers)
            #expect(after.changes == changes)
            #expect(after.counts == others)
            let store = try SQLiteStore(model: model, location: .file(url))
            let entity = try #require(model.entity(named: descriptions[place].name))
            let slot = try #require(entity.attribute(named: "osdNote")?.slots.first)
            let rows = try store.fetch(Query(entityIndex: entity.index))
            #expect(rows.allSatisfy { $0.values[slot] == .text("new") })
        }
    }

    private func facts(_ url: URL) throws -> (triggers: [String], changes: Int64, counts: [Int64]) {
        let connection = try Connection(.file(url), access: .readOnly)
        func number(_ sql: String) throws -> Int64 {
            try connection.withStatement(sql) { try $0.step() ? $0.integer(at: 0) : 0 }
        }
        let tables = try FileTables(connection)
        let own = tables.all.map(\.name).filter { !SystemTables.isKnown($0) }
        return (
            try schema(connection, type: "trigger"),
            tables.hasHistory ? try number("SELECT count(*) FROM ACHANGE") : 0,
            try own.map { try number("SELECT count(*) FROM \($0)") }
        )
    }
}
