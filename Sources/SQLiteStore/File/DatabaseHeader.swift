import Foundation

/// The first hundred bytes of a database, read without SQLite, to distinguish another kind of file from a damaged
/// database, and a file at rest from one with a log.
package struct DatabaseHeader: Sendable, Hashable {
    package enum JournalMode: String, Sendable, Hashable {
        case rollback
        case writeAheadLog
    }

    /// The page size in bytes.
    package let pageSize: Int
    package let journalMode: JournalMode
    /// The page count in the header; 0 if a library too old to write it was the last writer.
    package let pageCount: Int
    /// The version number of the SQLite library that wrote last, such as 3039005 for 3.39.5; 0 if unknown.
    package let libraryNumber: Int

    package static let length = 100

    /// Whether the whole file is only the beginning of a header.
    static func isCutOff(_ bytes: Data) -> Bool { bytes.count < length && bytes.starts(with: magic) }

    /// Whether the bytes begin like a Core Data store of type XML.
    static func isXMLStore(_ bytes: Data) -> Bool {
        let beginning = String(decoding: bytes.prefix(512), as: UTF8.self)
        return beginning.hasPrefix("<?xml") && beginning.contains("<!DOCTYPE database ")
    }

    /// Whether the bytes are an archive with the metadata keys of a Core Data store, like the stores that are read as a
    /// whole. Their format is not documented; the metadata keys are.
    static func isArchivedStore(_ bytes: Data) -> Bool {
        [archiveMagic, metadataKey].allSatisfy { bytes.range(of: Data($0.utf8)) != nil }
    }

    private static let archiveMagic = "bplist00"
    private static let metadataKey = "NSStoreModelVersionHashes"

    /// - Returns: `nil` unless the bytes begin with a database header.
    package init?(_ bytes: Data) {
        let bytes = Array(bytes.prefix(Self.length))
        guard bytes.count == Self.length, bytes.starts(with: Self.magic) else { return nil }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65_536 : size
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        journalMode = bytes[19] == 2 ? .writeAheadLog : .rollback
        func number(at place: Int) -> Int {
            bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        // The count is valid only if the change counter has not changed since it was written.
        pageCount = number(at: 24) == number(at: 92) ? number(at: 28) : 0
        libraryNumber = number(at: 96)
    }

    /// The version as text, such as `3.39.5`.
    package var libraryVersion: String? {
        libraryNumber == 0
            ? nil : "\(libraryNumber / 1_000_000).\(libraryNumber / 1000 % 1000).\(libraryNumber % 1000)"
    }

    private static let magic = Array("SQLite format 3\u{0}".utf8)

    /// Whether bytes without a database header look encrypted rather than like another kind of file: nearly all 256 byte
    /// values occur, about equally often.
    package static func looksEncrypted(_ bytes: Data) -> Bool {
        guard bytes.count >= 4096 else { return false }
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let entropy = counts.reduce(0.0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / Double(bytes.count)
            return sum - share * log2(share)
        }
        return entropy > 7.9
    }
}
