import CoreData
import Foundation
import ObjectGraph
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

@Suite(
    "Apple's files edited through the dynamic face",
    .realFiles)
struct DynamicEditingTests {
    private static let bookkeeping: Set<String> = [
        "Z_PRIMARYKEY", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
    ]

    /// What all copies of a file have in common, for tests that change many: it takes longer to make than what they do.
    private struct Common {
        let contents: StoreContents
        let model: NSManagedObjectModel

        init(_ store: RealFile) throws {
            (contents, model) = try store.withCopiedFile { url in
                (try StoreContents(url), try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url))
            }
        }
    }

    /// Opens a copy, calls the body, which saves, closes the file, and returns the differences.
    private func differences(
        _ store: RealFile, _ common: Common? = nil, _ body: (DynamicStack) throws -> Void
    ) throws -> (differences: [String: TableDifference], before: StoreContents, after: StoreContents) {
        try store.withCopiedFile { url in
            let before = try common?.contents ?? StoreContents(url)
            let stack = try DynamicStack(url, model: common?.model)
            try body(stack)
            try stack.close()
            let log = FileManager.default.contents(atPath: url.path + "-wal") ?? Data()
            #expect(log.isEmpty, "the log has \(log.count) bytes")
            let after = try StoreContents(url)
            #expect(after.schema == before.schema)
            for table in ["Z_METADATA", "Z_MODELCACHE"] { #expect(after.rows(table) == before.rows(table), "\(table)") }
            let journal = store.path.hasSuffix("SampleModel_V2.sqlite") ? "delete" : "wal"
            try expectSoundFile(url, journal: journal)
            return (after.differences(from: before), before, after)
        }
    }

    @Test(
        "An edit changes one cell and its row's version, and nothing else but the history", arguments: RealFile.all
    )
    func edit(store: RealFile) throws {
        var table = ""
        var key: Int64 = 0
        var column = ""
        let found = try differences(store) { stack in
            for (entity, storage, objects) in try stack.everything() {
                guard let object = objects.first,
                    let attribute = entity.attributes.first(where: {
                        $0.attribute.type == .string && !$0.attribute.isDerived && !$0.attribute.isTransient
                    })
                else { continue }
                object.setValue("edited „here“", forKey: attribute.name)
                (table, key) = (storage.table, object.key)
                column = try #require(storage.columns[attribute.slots.lowerBound]).name
                break
            }
            try stack.context.save()
        }
        #expect(Set(found.differences.keys).subtracting(Self.bookkeeping) == [table])
        let difference = try #require(found.differences[table])
        #expect(difference.inserted.isEmpty && difference.deleted.isEmpty)
        #expect(Set(difference.updated.keys) == [key])
        #expect(found.after.cell(table, key, column) == .text("edited „here“"))
        #expect(found.differences.updatedColumns(table, key) == [column, "Z_OPT"])
    }

    @Test("A batch delete leaves the same file as deleting the same objects", arguments: RealFile.all)
    func batchDelete(store: RealFile) throws {
        let model = try store.model()
        let common = try Common(store)
        for entity in model.entities where !entity.isAbstract && entity.isRoot {
            var outcomes: [Result<[String: TableDifference], CocoaError>] = []
            for isBatch in [true, false] {
                outcomes.append(try outcome(store, common, entity, isBatch: isBatch))
            }
            switch (outcomes[0], outcomes[1]) {
            case (.success(let batch), .success(let single)): #expect(batch == single, "\(entity.name)")
            case (.failure(let batch), .failure(let single)):
                #expect(Self.refusals.contains(batch.errorCode) && Self.refusals.contains(single.errorCode))
            default: Issue.record("\(entity.name): \(outcomes)")
            }
        }
    }

    /// A deny rule, an empty mandatory relationship, and the latter as reported by a batch delete.
    private static let refusals: Set<Int> = [1560, 1570, 1580, 1600, 134050]

    /// Without history, whose rows may be in another order.
    private func outcome(
        _ store: RealFile, _ common: Common, _ entity: Entity, isBatch: Bool
    ) throws -> Result<[String: TableDifference], CocoaError> {
        do {
            let found = try differences(store, common) { stack in
                let all = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name)
                let count = try stack.context.count(for: all)
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name)
                request.fetchLimit = 50
                if isBatch {
                    let delete = NSBatchDeleteRequest(fetchRequest: request)
                    delete.enforcesMinimumCounts = true
                    try stack.context.execute(delete)
                } else {
                    for object in try stack.context.fetch(request).compactMap({ $0 as? NSManagedObject }) {
                        stack.context.delete(object)
                    }
                    try stack.context.save()
                }
                #expect(try stack.context.count(for: all) == count - min(count, request.fetchLimit))
            }
            return .success(found.differences.filter { !Self.bookkeeping.contains($0.key) })
        } catch let error as CocoaError {
            return .failure(error)
        }
    }

    @Test("New objects are stored beside Apple's, with links, and read again", arguments: RealFile.all)
    func insert(store: RealFile) throws {
        try store.withCopiedFile { url in
            let stack = try DynamicStack(url)
            var counts: [String: Int] = [:]
            for (entity, _, objects) in try stack.everything() where !objects.isEmpty {
                guard try insertCopy(of: objects[0], entity, stack) else { continue }
                counts[entity.name] = objects.count + 1
            }
            #expect(!counts.isEmpty)
            try stack.close()
            let again = try DynamicStack(url, isReadOnly: true)
            for (entity, _, objects) in try again.everything() {
                if let count = counts[entity.name] { #expect(objects.count == count, "\(entity.name)") }
            }
        }
    }

    /// - Returns: whether the model allowed it: not if a unique value, or a mandatory partner, is copied.
    private func insertCopy(of object: NSManagedObject, _ entity: Entity, _ stack: DynamicStack) throws -> Bool {
        let copy = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: stack.context)
        for attribute in entity.attributes where !attribute.attribute.isDerived && !attribute.attribute.isTransient {
            let value = object.value(forKey: attribute.name)
            copy.setValue((value as? String).map { "copy of \($0)" } ?? value, forKey: attribute.name)
        }
        for relationship in entity.toOneRelationships {
            copy.setValue(object.value(forKey: relationship.name), forKey: relationship.name)
        }
        do {
            try stack.context.save()
            return true
        } catch is CocoaError {
            stack.context.rollback()
            return false
        }
    }

    @Test("Opened read-only, a file is unchanged", arguments: RealFile.all)
    func readOnly(store: RealFile) throws {
        try store.withCopiedFile { url in
            let before = try Data(contentsOf: url)
            let stack = try DynamicStack(url, isReadOnly: true)
            let all = try stack.everything()
            let object = try #require(all.lazy.flatMap(\.objects).first)
            stack.context.delete(object)
            #expect(throws: CocoaError.self) { try stack.context.save() }
            try stack.close()
            #expect(try Data(contentsOf: url) == before)
        }
    }
}
