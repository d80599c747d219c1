import Foundation
import TestSupport
import Testing

@testable import ObjectGraph

/// Packed values compared with an array of them.
@Suite struct SlotValuesTests {
    @Test("hold the same values as an array, and copies keep theirs", arguments: 1...40)
    func agreement(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = random.roll(20)
        var packed = SlotValues(nulls: count)
        var reference = [Value](repeating: .null, count: count)
        var copies: [(SlotValues, [Value])] = []
        for step in 0..<400 where count > 0 {
            let slot = random.roll(count)
            let value = Self.value(&random)
            packed[slot] = value
            reference[slot] = value
            #expect(packed[slot] == value, "seed \(seed), step \(step)")
            if random.roll(8) == 0 { copies.append((packed, reference)) }
            if !copies.isEmpty, random.roll(16) == 0 {
                (packed, reference) = copies[random.roll(copies.count)]
            }
        }
        #expect(Array(packed) == reference, "seed \(seed)")
        #expect(packed == SlotValues(reference) && packed.hashValue == SlotValues(reference).hashValue, "seed \(seed)")
        for (copy, former) in copies { #expect(Array(copy) == former, "seed \(seed)") }
    }

    @Test("can be extended with nulls, and never shortened")
    func extending() {
        var values: SlotValues = [.text("one that does not fit into two words"), .integer(2)]
        values.extend(to: 4)
        #expect(values == [.text("one that does not fit into two words"), .integer(2), .null, .null])
        values.extend(to: 1)
        #expect(values.count == 4)
        var none = SlotValues()
        #expect(none.isEmpty && none == [])
        none.extend(to: 1)
        #expect(none == [.null])
    }

    @Test("differ where one value differs")
    func difference() {
        let values: SlotValues = [.integer(1), .decimal(Decimal(2) / 3), .null]
        for slot in values.indices {
            var other = values
            other[slot] = .real(9)
            #expect(other != values)
        }
        #expect(values != SlotValues(values.prefix(2)))
    }

    @Test("release their contents with the last copy, and when a value is replaced")
    func release() {
        for replaces in [true, false] {
            weak var held: Held?
            var values = SlotValues(nulls: 3)
            do {
                let content = Held()
                held = content
                values[1] = .bytes(content.bytes)
            }
            var copy = values
            values[1] = .null
            #expect(held != nil && !copy[1].isNull)
            if replaces { copy[1] = .integer(1) } else { copy = [] }
            #expect(held == nil)
        }
    }

    /// Lives as long as the bytes it made.
    private final class Held: @unchecked Sendable {
        // Has no mutable state.
        var bytes: Data {
            let pointer = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 1)
            return Data(bytesNoCopy: pointer, count: 64, deallocator: .custom { _, _ in self.free(pointer) })
        }

        private func free(_ pointer: UnsafeMutableRawPointer) { pointer.deallocate() }
    }

    private static let space = IDSpace.intern(storeIdentifier: "packed", entityName: "A")

    private static func value(_ random: inout SeededGenerator) -> Value {
        switch random.roll(9) {
        case 0: .null
        case 1: .integer(Int64(bitPattern: random.next()))
        case 2: .real(Double(random.roll(1000)) / 7)
        case 3: .text(String(repeating: "t", count: random.roll(40)))
        case 4: .bytes(Data(repeating: 1, count: random.roll(40)))
        case 5: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(random.roll(256)))))
        case 6: .decimal(Decimal(random.roll(1000)) / 3)
        default: .reference(ObjectID(space: space, key: Int64(random.roll(9))))
        }
    }
}
