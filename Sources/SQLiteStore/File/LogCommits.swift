/// The commits in a write-ahead log since it was last written from its beginning, to compare two states of a file.
package struct LogCommits: Sendable, Hashable {
    /// SQLite changes these whenever it writes the log from its beginning.
    private let salts: [UInt8]
    package internal(set) var count = 0

    init(salts: [UInt8]) { self.salts = salts }

    /// Returns the number of commits between two states; `nil` if it is not known, because the log was written from its
    /// beginning meanwhile.
    package func count(since earlier: LogCommits) -> Int? {
        salts == earlier.salts && count >= earlier.count ? count - earlier.count : nil
    }
}
