import Foundation
import ObjectGraph
import StoreSQL
import StoreTestSupport
import TestSupport
import Testing

@testable import AppleFormats
@testable import SQLiteStore

@Suite("Damaged model caches")
struct ModelCacheDamageTests {
    @Test("Bytes that are no cache are refused by type")
    func noCache() throws {
        #expect(throws: ArchivedModelError.notCompressed) { try ArchivedModel.model(deflated: Data()) }
        #expect(throws: ArchivedModelError.notCompressed) {
            try ArchivedModel.model(deflated: Data([0xFF, 0xFF, 0xFF]))
        }
        #expect(throws: ArchivedModelError.notAnArchive(.notBinary)) {
            try ArchivedModel.model(deflated: stored(Data("no property list".utf8)))
        }
        #expect(throws: ArchivedModelError.notAModel) {
            try ArchivedModel.model(deflated: stored(PropertyList.array([]).binary))
        }
    }

    @Test("A small model is read; names that cannot be used in SQL are refused")
    func names() throws {
        let model = try ArchivedModel.model(deflated: archive(entityName: "Note", elementDepth: 0))
        #expect(model.entities.map(\.name) == ["Note"])
        #expect(throws: ArchivedModelError.unusableName("Note; DROP")) {
            try ArchivedModel.model(deflated: archive(entityName: "Note; DROP", elementDepth: 0))
        }
    }

    @Test("A composite that contains itself is refused")
    func circularComposite() {
        #expect(throws: ArchivedModelError.tooLarge) {
            try ArchivedModel.model(deflated: archive(entityName: "Note", elementDepth: 1))
        }
    }

    @Test("A truncated cache is refused", .realFiles)
    func truncated() throws {
        for store in RealFile.all {
            let content = try content(of: store)
            for count in stride(from: 0, to: content.count, by: 97) {
                #expect(throws: ArchivedModelError.self, "\(store.path) cut to \(count) bytes") {
                    try ArchivedModel.model(deflated: content.prefix(count))
                }
            }
        }
    }

    @Test(
        "A cache with changed bytes in its archive is refused or read as another model",
        .realFiles, arguments: [11, 12] as [UInt64])
    func changed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for store in RealFile.all {
            let original = Array(try Inflate.expand(try content(of: store)))
            var refused = 0
            for _ in 0..<Seeds.damagedInputs(15) {
                var bytes = original
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                do {
                    let model = try ArchivedModel.model(deflated: stored(Data(bytes)))
                    _ = SchemaLayout(model).schemaStatements()
                    _ = StorageMap(model)
                } catch {
                    refused += 1
                    #expect(!error.description.isEmpty)
                }
            }
            #expect(refused > 0, "\(store.path), seed \(seed)")
        }
    }

    @Test(
        "An archive with redirected references is refused or read as another model",
        .realFiles, arguments: [21, 22] as [UInt64])
    func misledReferences(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for store in RealFile.all {
            let archive = try PropertyList(binary: try Inflate.expand(try content(of: store)))
            let count = UInt64(archive.dictionaryValue?["$objects"]?.arrayValue?.count ?? 0)
            for _ in 0..<Seeds.damagedInputs(6) {
                let misled = mislead(archive, share: 200, count: count, &generator)
                do {
                    let model = try ArchivedModel.model(deflated: stored(misled.binary))
                    #expect(model.versionHashes.count == model.entities.count, "\(store.path), seed \(seed)")
                    _ = SchemaLayout(model).schemaStatements()
                    _ = StorageMap(model)
                } catch {
                    #expect(!error.description.isEmpty, "\(store.path), seed \(seed)")
                }
            }
        }
    }

    /// Redirects some of the references to other objects.
    private func mislead(
        _ list: PropertyList, share: Int, count: UInt64, _ generator: inout SeededGenerator
    ) -> PropertyList {
        switch list {
        case .uid where Int.random(in: 0..<share, using: &generator) == 0:
            return .uid(.random(in: 0...count, using: &generator))
        case .array(let elements):
            return .array(elements.map { mislead($0, share: share, count: count, &generator) })
        case .dictionary(let entries):
            let sorted = entries.sorted { $0.key < $1.key }
            let changed = sorted.map { ($0.key, mislead($0.value, share: share, count: count, &generator)) }
            return .dictionary(Dictionary(changed, uniquingKeysWith: { first, _ in first }))
        default:
            return list
        }
    }

    @Test("A hierarchy deeper than any real one is refused immediately")
    func deepHierarchy() {
        let content = stored(chain(length: 3000).binary)
        #expect(throws: ArchivedModelError.tooLarge) { try ArchivedModel.model(deflated: content) }
    }

    /// Entities that each inherit from the next.
    private func chain(length: Int) -> PropertyList {
        var objects: [PropertyList] = [
            .string("$null"), .dictionary(["$class": .uid(2), "NSEntities": .uid(3)]),
            .dictionary(["$classname": .string("NSManagedObjectModel")]), .null,
            .dictionary(["$classname": .string("NSDictionary")]),
            .dictionary(["$classname": .string("NSEntityDescription")]),
        ]
        var references: [PropertyList] = []
        for index in 0..<length {
            let next = objects.count + 1
            references.append(.uid(UInt64(objects.count)))
            var fields: [String: PropertyList] = ["$class": .uid(5), "NSEntityName": .string("E\(index)")]
            if index + 1 < length { fields["NSSuperentity"] = .uid(UInt64(next)) }
            objects.append(.dictionary(fields))
        }
        objects[3] = .dictionary([
            "$class": .uid(4), "NS.keys": .array(references), "NS.objects": .array(references),
        ])
        return .dictionary(["$top": .dictionary(["root": .uid(1)]), "$objects": .array(objects)])
    }

    private func content(of store: RealFile) throws -> Data {
        try store.withCopy { connection in try #require(try ModelCache.content(connection)) }
    }

    /// DEFLATE without compression: blocks of stored bytes.
    private func stored(_ data: Data) -> Data {
        var output = Data()
        var rest = data[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let size = UInt16(block.count)
            output.append(rest.isEmpty ? 1 : 0)
            for number in [size, ~size] {
                output.append(UInt8(truncatingIfNeeded: number))
                output.append(UInt8(truncatingIfNeeded: number >> 8))
            }
            output.append(block)
        } while !rest.isEmpty
        return output
    }

    /// An entity with one attribute; with depth, a composite that is its own element.
    private func archive(entityName: String, elementDepth: Int) -> Data {
        func class_(_ name: String) -> PropertyList {
            .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
        }
        let objects: [PropertyList] = [
            .string("$null"),
            .dictionary(["$class": .uid(2), "NSEntities": .uid(3)]), class_("NSManagedObjectModel"),
            .dictionary(["$class": .uid(4), "NS.keys": .array([.uid(5)]), "NS.objects": .array([.uid(6)])]),
            class_("NSDictionary"), .string(entityName),
            .dictionary(["$class": .uid(7), "NSEntityName": .uid(5), "NSProperties": .uid(8)]),
            class_("NSEntityDescription"),
            .dictionary(["$class": .uid(4), "NS.keys": .array([.uid(9)]), "NS.objects": .array([.uid(10)])]),
            .string("text"),
            .dictionary([
                "$class": .uid(11), "NSPropertyName": .uid(9),
                "NSAttributeType": .integer(elementDepth == 0 ? 700 : 2100), "NSCompositeElements": .uid(12),
            ]),
            class_("NSAttributeDescription"),
            .dictionary(["$class": .uid(13), "NS.objects": .array([.uid(10)])]), class_("NSArray"),
        ]
        let list = PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]), "$objects": .array(objects),
        ])
        return stored(list.binary)
    }
}
