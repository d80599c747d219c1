import Foundation

/// The pages of a database that are in a write-ahead log, up to its last commit. Determined by the frame headers alone;
/// SQLite verifies their content.
struct LogPages {
    /// The page count of the database with the log applied.
    private(set) var pageCount = 0
    private var numbers: Set<Int> = []

    private static let headLength: Int64 = 32
    private static let frameHeadLength = 24

    /// - Parameter present: The number of pages that the database has, which need not be searched in the log.
    /// - Returns: `nil` for a log without a commit.
    init?(_ log: URL, pageSize: Int, after present: Int) {
        guard let file = OpenDescriptor(reading: log), let head = file.bytes(Int(Self.headLength), at: 0),
            Self.number(at: 8, in: head) == pageSize
        else { return nil }
        let salts = head[16..<24]
        var place = Self.headLength
        var waiting: [Int] = []
        // Frames of an earlier use of the log have other salts.
        while let frame = file.bytes(Self.frameHeadLength, at: place), frame[8..<16] == salts {
            let page = Self.number(at: 0, in: frame)
            if page > present { waiting.append(page) }
            let committed = Self.number(at: 4, in: frame)
            if committed > 0 {
                pageCount = committed
                numbers.formUnion(waiting)
                waiting.removeAll()
            }
            place += Int64(Self.frameHeadLength + pageSize)
        }
        if pageCount == 0 { return nil }
    }

    func has(_ pages: ClosedRange<Int>) -> Bool { pages.allSatisfy(numbers.contains) }

    private static func number(at place: Int, in bytes: [UInt8]) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
