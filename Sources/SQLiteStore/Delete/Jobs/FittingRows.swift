import ObjectGraph

/// The next rows of a queue that fit into one transaction together with their links.
struct FittingRows {
    private(set) var rows = RowSet()
    /// The number of places that they occupy in the queue.
    private(set) var placeCount = 0
    private(set) var linkCount = 0
    /// The first row, if its links alone exceed the limit. Then it is the only one.
    private(set) var heavy: ObjectID?

    private let limit: ChunkLimit
    private var rowCount = 0

    /// Reads no more links than one transaction can remove.
    /// - Parameters:
    ///   - runs: The next rows of the queue.
    ///   - standing: Those of them that still must be deleted; the others do not count.
    init(_ runs: [DeleteQueue.Run], _ standing: RowSet, _ limit: ChunkLimit, _ reader: DeleteReader) throws {
        self.limit = limit
        for run in runs {
            let keys = standing[run.space].intersection(KeySet(Array(run.keys)))
            guard take(run, keys, try Self.linkCounts(of: keys, in: run.space, room + 1, reader)) else { return }
        }
    }

    /// - Returns: Whether there is room for more.
    private mutating func take(_ run: DeleteQueue.Run, _ standing: KeySet, _ counts: [Int64: Int]) -> Bool {
        var taken: [Int64] = []
        defer { rows.insert(KeySet(taken), in: run.space) }
        for key in run.keys {
            if standing.contains(key) {
                let links = counts[key] ?? 0
                let fits = links + 1 <= room && links <= limit.links - linkCount
                if !fits {
                    guard rowCount == 0 else { return false }
                    heavy = ObjectID(space: run.space, key: key)
                }
                taken.append(key)
                rowCount += 1
                linkCount += links
            }
            placeCount += 1
            if heavy != nil { return false }
        }
        return true
    }

    private var room: Int { max(0, limit.total - rowCount - linkCount) }

    /// Counts links of the rows in key order, up to the limit; later rows are not read.
    private static func linkCounts(
        of keys: KeySet, in space: IDSpace, _ limit: Int, _ reader: DeleteReader
    ) throws -> [Int64: Int] {
        guard !keys.isEmpty, let entityIndex = reader.spaces.entityIndex(of: space) else { return [:] }
        var counts: [Int64: Int] = [:]
        for path in LinkPath.all(of: entityIndex, reader.map) {
            for link in try reader.links(path, from: keys, atMost: limit) { counts[link.owner, default: 0] += 1 }
        }
        return counts
    }
}
