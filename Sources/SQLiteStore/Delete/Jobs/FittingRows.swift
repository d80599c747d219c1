import ObjectGraph

/// The next rows of a queue that one transaction can bear with their links.
struct FittingRows {
    private(set) var rows = RowSet()
    /// How many places they take in the queue.
    private(set) var placeCount = 0
    private(set) var linkCount = 0
    /// The first row, when its links alone are too many: it is all there is then.
    private(set) var heavy: ObjectID?

    private let limit: ChunkLimit
    private var rowCount = 0

    /// Looks at no more links than one transaction can bear, however many there are.
    /// - Parameters:
    ///   - runs: the queue's next.
    ///   - standing: those of them that are still to go; the others cost nothing.
    init(_ runs: [DeleteQueue.Run], _ standing: RowSet, _ limit: ChunkLimit, _ reader: DeleteReader) throws {
        self.limit = limit
        for run in runs {
            let keys = standing[run.space].intersection(KeySet(Array(run.keys)))
            guard take(run, keys, try Self.linkCounts(of: keys, in: run.space, room + 1, reader)) else { return }
        }
    }

    /// - Returns: whether there is room for more.
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

    /// Of the rows in key order until there are so many links; what follows is not looked at.
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
