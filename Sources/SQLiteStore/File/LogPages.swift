import Foundation

/// The pages of a database that are in a write-ahead log, and its commits. Only frames are counted that SQLite would read:
/// those with the log's salts and matching checksums, up to the last commit.
struct LogPages {
    /// The page count of the database with the log applied.
    private(set) var pageCount = 0
    private(set) var commits: LogCommits
    private var numbers: Set<Int> = []

    private static let headLength = 32
    private static let frameHeadLength = 24

    /// - Parameter present: The number of pages that the database has, which need not be searched in the log.
    /// - Returns: `nil` for a log without a commit.
    init?(_ log: URL, pageSize: Int, after present: Int) {
        guard let file = OpenDescriptor(reading: log), let head = file.bytes(Self.headLength, at: 0),
            Self.number(at: 8, in: head) == pageSize, var checksum = LogChecksum(head)
        else { return nil }
        let salts = head[16..<24]
        commits = LogCommits(salts: Array(salts))
        var place = Int64(Self.headLength)
        let frameLength = Self.frameHeadLength + pageSize
        var waiting: [Int] = []
        // Frames of an earlier use of the log have other salts.
        while let frame = file.bytes(frameLength, at: place), frame[8..<16] == salts {
            checksum.add(frame[..<8])
            checksum.add(frame[Self.frameHeadLength...])
            guard checksum.isEqual(to: frame[16..<24]) else { break }
            let page = Self.number(at: 0, in: frame)
            if page > present { waiting.append(page) }
            let committed = Self.number(at: 4, in: frame)
            if committed > 0 {
                pageCount = committed
                commits.count += 1
                numbers.formUnion(waiting)
                waiting.removeAll()
            }
            place += Int64(frameLength)
        }
        if pageCount == 0 { return nil }
    }

    func has(_ pages: ClosedRange<Int>) -> Bool { pages.allSatisfy(numbers.contains) }

    private static func number(at place: Int, in bytes: [UInt8]) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The checksum of a write-ahead log, which each frame continues:
/// https://www.sqlite.org/fileformat2.html#checksum_algorithm
private struct LogChecksum {
    private var sums: (UInt32, UInt32) = (0, 0)
    private let isBigEndian: Bool

    /// - Parameter head: The log's header.
    /// - Returns: `nil` for another kind of file, or if the header's own checksum does not match.
    init?(_ head: [UInt8]) {
        switch Self.word(head[..<4]) {
        case 0x377f_0682: isBigEndian = false
        case 0x377f_0683: isBigEndian = true
        default: return nil
        }
        add(head[..<24])
        guard isEqual(to: head[24..<32]) else { return nil }
    }

    /// - Parameter bytes: A multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            var place = 0
            while place + 8 <= bytes.count {
                sums.0 &+= word(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)) &+ sums.1
                sums.1 &+= word(bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)) &+ sums.0
                place += 8
            }
        }
    }

    func isEqual(to stored: ArraySlice<UInt8>) -> Bool {
        Self.word(stored.prefix(4)) == sums.0 && Self.word(stored.suffix(4)) == sums.1
    }

    private func word(_ loaded: UInt32) -> UInt32 {
        isBigEndian ? UInt32(bigEndian: loaded) : UInt32(littleEndian: loaded)
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
