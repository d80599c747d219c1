import CoreData
import Foundation
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Apple's files read through the dynamic face", .realFiles)
struct DynamicReadingTests {
    @Test("Without the program's model, every object has the values found by plain SQL", arguments: RealFile.all)
    func everything(store: RealFile) throws {
        try store.withCopiedFile { url in
            let stack = try DynamicStack(url)
            let contents = try StoreContents(url)
            var count = 0
            for (entity, storage, objects) in try stack.everything() {
                let rows = contents.rows(storage.table).filter {
                    $0.value["Z_ENT"]?.integer == Int64(storage.entityNumber)
                }
                #expect(objects.map(\.key) == rows.keys.sorted(), "\(entity.name)")
                for object in objects {
                    try expect(object, entity, storage, try #require(rows[object.key]))
                    try expectMembers(object, entity, storage, contents)
                }
                count += objects.count
            }
            #expect(count > 5)
        }
    }

    @Test(
        "With the program's model file, so it does",
        arguments: zip(
            ["SampleModel_V1.sqlite", "SampleModel_V2.sqlite"], ["SampleModel", "SampleModel2"]))
    func modelFile(file: String, version: String) throws {
        let folder = RealFile.folder.appendingPathComponent("coredataplus")
        let model = try #require(
            NSManagedObjectModel(
                contentsOf: folder.appendingPathComponent("SampleModel.xcdatamodeld/\(version).xcdatamodel")))
        try RealFile("coredataplus/\(file)").withCopiedFile { url in
            let contents = try StoreContents(url)
            let stack = try DynamicStack(url, model: model)
            for (entity, storage, objects) in try stack.everything() {
                for object in objects {
                    try expect(object, entity, storage, try #require(contents.rows(storage.table)[object.key]))
                }
            }
            #expect(try stack.everything().reduce(0) { $0 + $1.objects.count } > 10)
        }
    }

    // MARK: One object

    private func expect(
        _ object: NSManagedObject, _ entity: Entity, _ storage: EntityStorage, _ row: StoreContents.Row
    ) throws {
        for attribute in entity.attributes where !attribute.attribute.isTransient {
            let value = object.value(forKey: attribute.name)
            for (leaf, slot) in zip(paths(attribute.attribute, []), attribute.slots) {
                let column = try #require(storage.columns[slot])
                let own = leaf.path.reduce(value) { ($0 as? [String: Any])?[$1] }
                expect(own, leaf.attribute, row[column.name] ?? .null, "\(entity.name).\(attribute.name) \(object.key)")
            }
        }
        for relationship in entity.toOneRelationships {
            let column = try #require(relationship.slot.flatMap { storage.columns[$0] })
            let destination = object.value(forKey: relationship.name) as? NSManagedObject
            #expect(destination?.key == row[column.name]?.integer, "\(entity.name).\(relationship.name) \(object.key)")
        }
    }

    /// The leaves of an attribute, and the path to them in the dynamic face's values.
    private func paths(_ attribute: Attribute, _ path: [String]) -> [(attribute: Attribute, path: [String])] {
        guard attribute.type == .composite else { return [(attribute, path)] }
        return attribute.elements.flatMap { paths($0, path + [$0.name]) }
    }

    private func expect(_ value: Any?, _ attribute: Attribute, _ cell: Cell, _ place: String) {
        guard let value else {
            // An object of a class that this program does not have is kept as it is.
            #expect(cell == .null || attribute.type == .transformable, "\(place)")
            return
        }
        switch attribute.type {
        case .string: #expect((value as? String).map(Cell.text) == cell, "\(place)")
        case .uri: #expect((value as? URL)?.absoluteString == cell.text, "\(place)")
        case .date: #expect((value as? Date)?.timeIntervalSinceReferenceDate == cell.number, "\(place)")
        case .uuid: #expect(Cell(value as? UUID) == cell, "\(place)")
        case .binary where !attribute.allowsExternalStorage: #expect(value as? Data == cell.data, "\(place)")
        case .binary, .transformable: #expect(cell.data != nil, "\(place)")
        case .decimal:
            #expect(abs(((value as? NSNumber)?.doubleValue ?? .nan) - (cell.number ?? .nan)) < 1e-12, "\(place)")
        default: #expect((value as? NSNumber)?.doubleValue == cell.number, "\(place)")
        }
    }

    private func expectMembers(
        _ object: NSManagedObject, _ entity: Entity, _ storage: EntityStorage, _ contents: StoreContents
    ) throws {
        for relationship in entity.toManyRelationships where !relationship.relationship.isTransient {
            let value = object.value(forKey: relationship.name)
            let members = (value as? NSSet)?.allObjects ?? (value as? NSOrderedSet)?.array ?? []
            let keys = members.compactMap { ($0 as? NSManagedObject)?.key }.sorted()
            let place: Comment = "\(entity.name).\(relationship.name) \(object.key)"
            switch try #require(storage.toMany[relationship.index]) {
            case .foreignKey(let table, let column, _, _, _):
                #expect(keys == contents.keys("Z_PK", of: table, by: column)[object.key, default: []], place)
            case .joinTable(let name, let ownerColumn, let memberColumn, _):
                #expect(keys == contents.keys(memberColumn, of: name, by: ownerColumn)[object.key, default: []], place)
            }
        }
    }
}
