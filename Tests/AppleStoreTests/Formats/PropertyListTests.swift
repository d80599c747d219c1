import Foundation
import TestSupport
import Testing

@testable import AppleFormats
@testable import SQLiteStore

@Suite("Binary property lists")
struct PropertyListTests {
    static let sample: PropertyList = .dictionary([
        "text": .string("plain"), "wide": .string("größer 😀"), "empty": .string(""),
        "long": .string(String(repeating: "x", count: 300)),
        "numbers": .array(
            [0, 1, 255, 256, 65535, 65536, 1 << 32, -1, .min, .max].map(PropertyList.integer)
                + [.unsigned(.max), .real(1.5), .real(-.infinity), .date(700_000_000.25)]),
        "flags": .set([.boolean(true), .boolean(false)]),
        "references": .array([.uid(0), .uid(300), .uid(1 << 40)]),
        "bytes": .data(Data(0..<200)), "nested": .dictionary(["a": .dictionary(["b": .array([])])]),
    ])

    @Test("Written lists are read unchanged")
    func roundTrip() throws {
        #expect(try PropertyList(binary: Self.sample.binary) == Self.sample)
        for value in [PropertyList.null, .boolean(true), .integer(-5), .array([]), .data(Data())] {
            #expect(try PropertyList(binary: value.binary) == value)
        }
    }

    @Test("Large collections get the wider references they need")
    func largeCollections() throws {
        let list = PropertyList.array((0..<70_000).map { .integer(Int64($0)) })
        #expect(try PropertyList(binary: list.binary) == list)
    }

    @Test("Foundation reads written lists, and its own lists are read")
    func agreementWithFoundation() throws {
        let list = PropertyList.dictionary([
            "text": .string("größer"), "number": .integer(-70_000), "flag": .boolean(true), "real": .real(2.5),
            "data": .data(Data([1, 2, 3])), "list": .array([.string("a"), .integer(7)]), "date": .date(1000),
        ])
        let object = try PropertyListSerialization.propertyList(from: list.binary, format: nil)
        let dictionary = try #require(object as? [String: Any])
        #expect(dictionary["text"] as? String == "größer")
        #expect(dictionary["number"] as? Int == -70_000)
        #expect(dictionary["flag"] as? Bool == true)
        #expect(dictionary["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1000))
        let data = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
        #expect(try PropertyList(binary: data) == list)
    }

    @Test("Truncated lists are errors, at any length")
    func truncated() {
        let data = Self.sample.binary
        for count in 0..<data.count {
            #expect(throws: PropertyListError.self, "cut to \(count) bytes") {
                try PropertyList(binary: data.prefix(count))
            }
        }
    }

    @Test("Lists with changed bytes are errors or other lists", arguments: [1, 2, 3, 4] as [UInt64])
    func damaged(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let original = Array(Self.sample.binary)
        var refused = 0
        for _ in 0..<2000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do throws(PropertyListError) {
                _ = try PropertyList(binary: Data(bytes))
            } catch {
                refused += 1
                #expect(!error.description.isEmpty)
            }
        }
        #expect(refused > 100, "seed \(seed)")
    }

    @Test("A list that contains itself is refused")
    func cycle() {
        // One array whose only element is itself.
        let bytes = Array("bplist00".utf8) + [0xA1, 0x00, 0x08] + trailer(objects: 1, top: 0, table: 10)
        #expect(throws: PropertyListError.tooDeep) { try PropertyList(binary: Data(bytes)) }
    }

    @Test("A list that expands without end is refused before it fills the memory")
    func unfolding() {
        // Twelve arrays, each of sixteen references to the next.
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        var body: [[UInt8]] = (0..<12).map { level in [0xAF, 0x10, 16] + Array(repeating: UInt8(level + 1), count: 16) }
        body.append([0x10, 0x00])
        for object in body {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + trailer(objects: body.count, top: 0, table: table)
        #expect(throws: PropertyListError.tooLarge) { try PropertyList(binary: Data(bytes)) }
    }

    @Test("A collection that is referenced repeatedly is equal everywhere, and its depth counts at each place")
    func shared() throws {
        // [x, [x]] with x = [0], which is built once.
        let objects: [[UInt8]] = [[0xA2, 1, 2], [0xA1, 3], [0xA1, 1], [0x10, 0x00]]
        let x = PropertyList.array([.integer(0)])
        #expect(try PropertyList(binary: list(objects)) == .array([x, .array([x])]))
        // x, forty arrays deep, at the top and again below thirty others.
        let chain = 40
        var deep: [[UInt8]] = [[0xA2, 1, UInt8(chain + 1)]]
        deep += (1..<chain).map { [0xA1, UInt8($0 + 1)] } + [[0x10, 0x00]]
        deep += (0..<30).map { [0xA1, UInt8(chain + 2 + $0)] }
        deep.append([0xA1, 1])
        #expect(throws: PropertyListError.tooDeep) { try PropertyList(binary: list(deep)) }
    }

    private func list(_ objects: [[UInt8]]) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        return Data(bytes + offsets + trailer(objects: objects.count, top: 0, table: bytes.count))
    }

    private func trailer(objects: Int, top: Int, table: Int) -> [UInt8] {
        let sizes: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1]
        return [objects, top, table].reduce(sizes) { bytes, number in
            bytes + [0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)]
        }
    }
}
