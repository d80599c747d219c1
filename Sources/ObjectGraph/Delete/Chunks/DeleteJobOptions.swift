/// Options of a long deletion. Stored in the file with the deletion, so that it continues with them.
package struct DeleteJobOptions: Sendable, Hashable, Codable {
    /// The limits of one chunk. The first chunk is small; the cost of each determines the size of the next.
    package var budget = Budget()
    /// The pause between chunks in `DeleteJob.run`, in milliseconds. Connections that wait for the write lock retry
    /// every few milliseconds; a longer pause lets them get it.
    package var pauseMilliseconds: Double = 12
    package var checkpoints = Checkpoints.automatic
    package var vacuuming = Vacuuming.none
    /// The free disk space required before the first row is deleted, as a multiple of the write-ahead log of one chunk;
    /// 0 for no check.
    package var freeDiskFactor: Double = 2

    package var keeping = Archiving.none

    package init() {}

    /// - Parameters:
    ///   - rows: The maximum number of rows in one chunk.
    ///   - milliseconds: How long one chunk may block other writers.
    ///   - logBytes: How much one chunk may write to the write-ahead log.
    package init(rows: Int, milliseconds: Double, logBytes: Int64, keeping: Archiving, vacuuming: Vacuuming) {
        budget.rows = rows
        budget.milliseconds = milliseconds
        budget.bytes = logBytes
        self.keeping = keeping
        self.vacuuming = vacuuming
        self = withinLimits
    }

    /// The options with all numbers limited to a usable range, as a caller or a file may give any.
    package var withinLimits: DeleteJobOptions {
        var options = self
        options.budget.rows = max(1, budget.rows)
        options.budget.links = max(1, budget.links)
        options.budget.milliseconds = max(1, budget.milliseconds)
        options.budget.bytes = max(1, budget.bytes)
        options.pauseMilliseconds = min(max(0, pauseMilliseconds), Self.longestPause)
        options.freeDiskFactor = max(0, freeDiskFactor)
        return options
    }

    /// One day.
    private static let longestPause: Double = 86_400_000

    /// Whether deleted rows can be restored.
    package enum Archiving: String, Sendable, Hashable, Codable {
        case none
        /// Each chunk is archived under its own token (`RecoveryToken.init(chunk:of:)`).
        case everyChunk
    }

    /// The limits of one chunk. The first limit reached ends it.
    package struct Budget: Sendable, Hashable {
        /// The maximum number of rows, not counting rows that a rule deletes together with them inseparably.
        package var rows = 50_000
        /// The maximum number of removed links: nullified references of survivors, and join rows. Links that a rule
        /// removes only together with their owner do not count.
        package var links = 50_000
        /// How long other writers are blocked. A target only, as the cost of a chunk is estimated from earlier ones.
        /// Some rows are always deleted together, and more of them if even small chunks take longer.
        package var milliseconds: Double = 100
        /// The bytes written to the write-ahead log.
        package var bytes: Int64 = 16 << 20

        package init() {}
    }

    /// When the write-ahead log is copied into the file (checkpoint).
    package enum Checkpoints: String, Sendable, Hashable, Codable {
        /// When SQLite considers it long enough.
        case automatic
        /// After every chunk, as far as readers permit.
        case afterEachChunk
    }

    /// Whether free pages are returned to the file system. Requires files created for it, as Apple's are.
    package enum Vacuuming: String, Sendable, Hashable, Codable {
        case none
        /// Some after every chunk, the rest at the end.
        case betweenChunks
    }
}

extension DeleteJobOptions.Budget: Codable {
    private enum CodingKeys: CodingKey {
        case rows, links, milliseconds, bytes
    }

    /// Deletions started before links were counted have the default limit.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        rows = try values.decode(Int.self, forKey: .rows)
        links = try values.decodeIfPresent(Int.self, forKey: .links) ?? links
        milliseconds = try values.decode(Double.self, forKey: .milliseconds)
        bytes = try values.decode(Int64.self, forKey: .bytes)
    }
}
