import Foundation
import SQLiteStore
import StoreInspection

/// One read-only opening of a file.
struct Inspection: Sendable {
    let file: InspectedFile
    let store: SQLiteStore
    /// Identifies this opening.
    let id = UUID()
    private let since = ContinuousClock.now

    /// How long a copy remains valid while other processes keep writing the file.
    private static let freshness = Duration.seconds(2)

    /// - Parameters:
    ///   - models: versions of the app's model, which replace the model stored in the file.
    ///   - earlier: an earlier inspection of the same file, whose copy is reused where possible.
    ///   - checkStop: throws to stop copying.
    /// - Throws: errors of opening the file for inspection, and errors of `checkStop`.
    init(_ url: URL, _ models: ModelVersions?, after earlier: Inspection?, _ checkStop: () throws -> Void) throws {
        file = try InspectedFile(url, models: models, reusing: earlier?.file) { _, _ in try checkStop() }
        store = try file.store()
    }

    /// Whether this inspection may still be used.
    /// - Parameter stamps: current stamps of the files, as `StoreSource` reads them.
    func isGood(_ stamps: [FileStamp?]) -> Bool {
        if isOf(stamps) { return true }
        return file.untouched.way == .privateCopy && ContinuousClock.now - since < Self.freshness
            && isSameFile(stamps.first ?? nil)
    }

    /// Whether the path still names the same file.
    private func isSameFile(_ stamp: FileStamp?) -> Bool {
        let seen = file.untouched.file.stamp
        return stamp?.device == seen.device && stamp?.inode == seen.inode
    }

    /// Whether the files are unchanged since this opening.
    func isOf(_ stamps: [FileStamp?]) -> Bool {
        let seen = file.untouched.file
        return stamps == [seen.stamp, seen.logStamp, seen.journalStamp]
    }
}
