import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Damaged model caches")
struct ModelCacheDamageTests {
    @Test("Bytes that are no cache are refused by type")
    func noCache() throws {
        #expect(throws: ModelCacheError.notCompressed) { try ModelCache.model(from: Data()) }
        #expect(throws: ModelCacheError.notCompressed) { try ModelCache.model(from: Data([0xFF, 0xFF, 0xFF])) }
        #expect(throws: ModelCacheError.notAnArchive(.notBinary)) {
            try ModelCache.model(from: stored(Data("no property list".utf8)))
        }
        #expect(throws: ModelCacheError.notAModel) {
            try ModelCache.model(from: stored(PropertyList.array([]).binary))
        }
    }

    @Test("A small model is read; names that could not stand in SQL are refused")
    func names() throws {
        let model = try ModelCache.model(from: archive(entityName: "Note", elementDepth: 0))
        #expect(model.entities.map(\.name) == ["Note"])
        #expect(throws: ModelCacheError.unusableName("Note; DROP")) {
            try ModelCache.model(from: archive(entityName: "Note; DROP", elementDepth: 0))
        }
    }

    @Test("A composite that contains itself is refused")
    func circularComposite() {
        #expect(throws: ModelCacheError.tooLarge) {
            try ModelCache.model(from: archive(entityName: "Note", elementDepth: 1))
        }
    }

    @Test("A cache cut short is refused", .enabled(if: AppleStore.areAvailable, "the store files are not here"))
    func truncated() throws {
        for store in AppleStore.all {
            let content = try content(of: store)
            for count in stride(from: 0, to: content.count, by: 97) {
                #expect(throws: ModelCacheError.self, "\(store.path) cut to \(count) bytes") {
                    try ModelCache.model(from: content.prefix(count))
                }
            }
        }
    }

    @Test(
        "A cache whose archive has changed bytes is refused or is another model",
        .enabled(if: AppleStore.areAvailable, "the store files are not here"), arguments: [11, 12] as [UInt64])
    func changed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for store in AppleStore.all {
            let original = Array(try Inflate.expand(try content(of: store)))
            var refused = 0
            for _ in 0..<60 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                do {
                    let model = try ModelCache.model(from: stored(Data(bytes)))
                    _ = SchemaLayout(model).schemaStatements()
                    _ = StorageMap(model)
                } catch let error as ModelCacheError {
                    refused += 1
                    #expect(!error.description.isEmpty)
                }
            }
            #expect(refused > 0, "\(store.path), seed \(seed)")
        }
    }

    private func content(of store: AppleStore) throws -> Data {
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
