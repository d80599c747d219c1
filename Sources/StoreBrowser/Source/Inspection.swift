import Foundation
import SQLiteStore
import StoreInspection

/// One opening of a file that is only looked at.
struct Inspection: Sendable {
    let file: InspectedFile
    let store: SQLiteStore
    /// Tells it from others.
    let id = UUID()
    private let since = ContinuousClock.now

    /// A copy of a file that others keep writing is good for this long.
    private static let freshness = Duration.seconds(2)

    /// - Parameters:
    ///   - models: versions of the app's model, to use in place of the file's own.
    ///   - earlier: of the same file; what need not be copied again is taken from its copy.
    ///   - checkStop: throws to stop copying.
    /// - Throws: what opening a file to look at it throws, and what `checkStop` throws.
    init(_ url: URL, _ models: ModelVersions?, after earlier: Inspection?, _ checkStop: () throws -> Void) throws {
        file = try InspectedFile(url, models: models, reusing: earlier?.file) { _, _ in try checkStop() }
        store = try file.store()
    }

    /// - Parameter stamps: of the files now, as `StoreSource` has them.
    func isGood(_ stamps: [FileStamp?]) -> Bool {
        if isOf(stamps) { return true }
        return file.untouched.way == .privateCopy && ContinuousClock.now - since < Self.freshness
            && isSameFile(stamps.first ?? nil)
    }

    /// Whether no other file has taken its place.
    private func isSameFile(_ stamp: FileStamp?) -> Bool {
        let seen = file.untouched.file.stamp
        return stamp?.device == seen.device && stamp?.inode == seen.inode
    }

    /// Whether the files are as they were when this was opened.
    func isOf(_ stamps: [FileStamp?]) -> Bool {
        let seen = file.untouched.file
        return stamps == [seen.stamp, seen.logStamp, seen.journalStamp]
    }
}
