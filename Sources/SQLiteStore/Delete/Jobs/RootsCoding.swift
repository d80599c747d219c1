import Foundation
import ObjectGraph

/// Encodes the roots of a delete as bytes: entity names, and for each the differences between keys, with few bytes for
/// small ones. Consecutive keys take one byte each.
///
/// Format: version, number of entities, then for each entity: length and UTF-8 of the name, number of keys, first key,
/// differences. Numbers have seven bits in each byte, lowest first.
enum RootsCoding {
    private static let version: UInt64 = 1

    static func data(_ rows: RowSet) -> Data {
        var bytes: [UInt8] = []
        append(version, to: &bytes)
        append(UInt64(rows.keysBySpace.count), to: &bytes)
        for (name, keys) in rows.keysBySpace.map({ ($0.key.entityName, $0.value) }).sorted(by: { $0.0 < $1.0 }) {
            append(UInt64(name.utf8.count), to: &bytes)
            bytes += name.utf8
            append(UInt64(keys.count), to: &bytes)
            var last: Int64 = 0
            for key in keys.keys {
                append(UInt64(bitPattern: key &- last), to: &bytes)
                last = key
            }
        }
        return Data(bytes)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// - Parameter space: Returns the space of an entity by name.
    /// - Returns: `nil` for bytes that do not encode roots, and for rows of unknown entities.
    static func rows(_ data: Data, space: (String) -> IDSpace?) -> RowSet? {
        var reading = Reading(bytes: Array(data))
        guard reading.number() == version, let entityCount = reading.number() else { return nil }
        var rows = RowSet()
        for _ in 0..<entityCount {
            guard let space = reading.text().flatMap(space), let keys = reading.keys() else { return nil }
            rows.insert(keys, in: space)
        }
        return reading.isAtEnd ? rows : nil
    }

    private struct Reading {
        let bytes: [UInt8]
        private var place = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { place == bytes.count }

        mutating func number() -> UInt64? {
            var number: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 7) {
                guard place < bytes.count else { return nil }
                let byte = bytes[place]
                place += 1
                number |= UInt64(byte & 0x7F) << shift
                if byte & 0x80 == 0 { return number }
            }
            return nil
        }

        mutating func text() -> String? {
            guard let count = number(), count <= UInt64(bytes.count - place) else { return nil }
            defer { place += Int(count) }
            return String(decoding: bytes[place..<(place + Int(count))], as: UTF8.self)
        }

        /// Reads a key set. Every key takes at least one byte, so a number in damaged bytes cannot make the set large.
        mutating func keys() -> KeySet? {
            guard let count = number(), count <= UInt64(bytes.count - place) else { return nil }
            var keys: [Int64] = []
            keys.reserveCapacity(Int(count))
            var last: Int64 = 0
            for _ in 0..<count {
                guard let distance = number() else { return nil }
                last = last &+ Int64(bitPattern: distance)
                keys.append(last)
            }
            return KeySet(keys)
        }
    }
}
