/// What one may choose about a delete that takes several transactions. Kept in the file with the delete, so that it
/// goes on as it began.
package struct DeleteJobOptions: Sendable, Hashable, Codable {
    /// What one chunk may cost. The first is small; from then on the cost of each decides how large the next may be.
    package var budget = Budget()
    /// How long `DeleteJob.run` waits between chunks, in milliseconds. Those who wait for the write lock ask again every
    /// few milliseconds; with a pause that is longer, they get their turn.
    package var pauseMilliseconds: Double = 12
    package var checkpoints = Checkpoints.automatic
    package var vacuuming = Vacuuming.none
    /// How many times the write-ahead log of one chunk must find room on the disk before the first row goes; 0 to not
    /// look.
    package var freeDiskFactor: Double = 2

    package var keeping = Keeping.none

    package init() {}

    /// - Parameters:
    ///   - rows: of one chunk, at most.
    ///   - milliseconds: for which one chunk may keep others from writing.
    ///   - logBytes: that one chunk may write to the write-ahead log.
    package init(rows: Int, milliseconds: Double, logBytes: Int64, keeping: Keeping, vacuuming: Vacuuming) {
        budget.rows = rows
        budget.milliseconds = milliseconds
        budget.bytes = logBytes
        self.keeping = keeping
        self.vacuuming = vacuuming
        self = withinLimits
    }

    /// The same, with numbers that can be reckoned with, whatever a caller gave or a file holds.
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

    /// A day.
    private static let longestPause: Double = 86_400_000

    /// Whether what goes can be brought back.
    package enum Keeping: String, Sendable, Hashable, Codable {
        case none
        /// Each chunk is kept under a token of its own (`RecoveryToken.init(chunk:of:)`).
        case everyChunk
    }

    /// Whichever is used up first ends a chunk.
    package struct Budget: Sendable, Hashable {
        /// The most rows, those not counted that a rule takes along and that cannot go apart.
        package var rows = 50_000
        /// The most links that go: keys of survivors that are cleared, and join rows. Not counted are those that a rule does
        /// not let go before their owner.
        package var links = 50_000
        /// For which others cannot write: aimed at, as what a chunk costs is known from those before it. A few rows go at once
        /// whatever they take, and more of them where every chunk takes longer, however small.
        package var milliseconds: Double = 100
        /// Written to the write-ahead log.
        package var bytes: Int64 = 16 << 20

        package init() {}
    }

    /// When the write-ahead log is written back into the file.
    package enum Checkpoints: String, Sendable, Hashable, Codable {
        /// When SQLite finds it long enough.
        case automatic
        /// After every chunk, as far as readers let it.
        case afterEachChunk
    }

    /// Whether pages that became free are given back to the file system. Only files made for it can: Apple's are.
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

    /// Deletes that were started before links were counted have the usual number.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        rows = try values.decode(Int.self, forKey: .rows)
        links = try values.decodeIfPresent(Int.self, forKey: .links) ?? links
        milliseconds = try values.decode(Double.self, forKey: .milliseconds)
        bytes = try values.decode(Int64.self, forKey: .bytes)
    }
}
