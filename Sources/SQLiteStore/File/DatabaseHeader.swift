import Foundation

/// The first hundred bytes of a database, read without SQLite, so that a file that is none can be told from a damaged
/// one, and a file that is at rest from one with a log.
package struct DatabaseHeader: Sendable, Hashable {
    package enum JournalMode: String, Sendable, Hashable {
        case rollback
        case writeAheadLog
    }

    /// In bytes.
    package let pageSize: Int
    package let journalMode: JournalMode
    /// Pages the file says it has; 0 where it was last written by a library too old to say.
    package let pageCount: Int
    /// Of the SQLite library that wrote last, as 3039005 for 3.39.5; 0 where it is not told.
    package let libraryNumber: Int

    package static let length = 100

    /// Whether the whole file is the beginning of a header.
    static func isCutOff(_ bytes: Data) -> Bool { bytes.count < length && bytes.starts(with: magic) }

    /// Whether it begins as Core Data writes stores of type XML.
    static func isXMLStore(_ bytes: Data) -> Bool {
        let beginning = String(decoding: bytes.prefix(512), as: UTF8.self)
        return beginning.hasPrefix("<?xml") && beginning.contains("<!DOCTYPE database ")
    }

    /// Whether it is an archive that has what every store of Core Data has in its metadata, as those have which are read as
    /// a whole. Their layout is not documented; the keys of the metadata are.
    static func isArchivedStore(_ bytes: Data) -> Bool {
        [archiveMagic, metadataKey].allSatisfy { bytes.range(of: Data($0.utf8)) != nil }
    }

    private static let archiveMagic = "bplist00"
    private static let metadataKey = "NSStoreModelVersionHashes"

    /// - Returns: `nil` for bytes that begin no database.
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
        // The count is good only if the change counter is the one it was written with.
        pageCount = number(at: 24) == number(at: 92) ? number(at: 28) : 0
        libraryNumber = number(at: 96)
    }

    /// `3.39.5`.
    package var libraryVersion: String? {
        libraryNumber == 0
            ? nil : "\(libraryNumber / 1_000_000).\(libraryNumber / 1000 % 1000).\(libraryNumber % 1000)"
    }

    private static let magic = Array("SQLite format 3\u{0}".utf8)

    /// Whether bytes that begin no database look enciphered rather than like another kind of file: as good as all 256
    /// byte values, about equally often.
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
