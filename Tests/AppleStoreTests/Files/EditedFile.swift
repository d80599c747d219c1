import Foundation
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// A file with foreign contents that is opened, edited and closed, and then compared with its former state.
struct EditedFile {
    let url: URL
    let store: StoreUnderTest
    private(set) var original: StoreContents

    static func with(_ store: StoreUnderTest, _ body: (inout EditedFile) throws -> Void) throws {
        try store.withFile { url in
            try ForeignMatter.add(to: url, store.family)
            var file = EditedFile(url: url, store: store, original: try StoreContents(url))
            try body(&file)
        }
    }

    /// Runs the edits in a context of their own, saves, closes the file, and returns the differences: never in the schema, never in
    /// a table other than those of the models, the keys and the history.
    mutating func edit(
        _ body: (ModelContext) throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (differences: [String: TableDifference], before: StoreContents, after: StoreContents) {
        let before = original
        try store.withContext(url) { context in
            try body(context)
            try context.save()
            #expect(!context.hasChanges, sourceLocation: sourceLocation)
        }
        // After closing, the file alone is complete: none of it is left in a log.
        let log = FileManager.default.contents(atPath: url.path + "-wal") ?? Data()
        #expect(log.isEmpty, "the log has \(log.count) bytes", sourceLocation: sourceLocation)
        let after = try StoreContents(url)
        original = after
        try expectSoundFile(url, journal: store.journal, sourceLocation: sourceLocation)
        try store.expectAgreement(url)
        #expect(after.schema == before.schema, sourceLocation: sourceLocation)
        let differences = after.differences(from: before)
        for table in ["APPDATA", "Z_METADATA", "Z_MODELCACHE"] {
            #expect(after.rows(table) == before.rows(table), "\(table)", sourceLocation: sourceLocation)
            #expect(!after.rows(table).isEmpty, "\(table)", sourceLocation: sourceLocation)
        }
        for (table, difference) in differences {
            for row in difference.updated.values {
                #expect(row[ForeignMatter.column] == nil, "\(table)", sourceLocation: sourceLocation)
            }
        }
        expectVersions(differences, before, sourceLocation)
        return (differences, before, after)
    }

    /// A new row has version 1, a changed one a higher version than before.
    private func expectVersions(
        _ differences: [String: TableDifference], _ before: StoreContents, _ sourceLocation: SourceLocation
    ) {
        for (table, difference) in differences where table.hasPrefix("Z") && !table.hasPrefix("Z_") {
            for row in difference.inserted.values {
                #expect(row["Z_OPT"] == .integer(1), sourceLocation: sourceLocation)
            }
            for (key, row) in difference.updated {
                guard let version = row["Z_OPT"]?.integer else { continue }
                let former = before.cell(table, key, "Z_OPT")?.integer ?? 0
                #expect(version == former + 1, "\(table) row \(key)", sourceLocation: sourceLocation)
            }
        }
    }
}
