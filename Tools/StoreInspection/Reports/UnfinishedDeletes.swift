import Foundation
import ObjectGraph
import SQLiteStore

/// Unfinished deletes in steps, found by a typed identifier or its beginning.
package struct UnfinishedDeletes: Sendable {
    /// Oldest first.
    package let records: [DeleteJobRecord]

    package init(_ records: [DeleteJobRecord]) { self.records = records }

    /// Shorter prefixes are rejected, so that a typing error does not select a delete.
    private static let shortestBeginning = 4

    /// - Throws: `InspectionError.badInput` unless the text matches exactly one delete.
    package func record(_ text: String) throws -> DeleteJobRecord {
        guard !records.isEmpty else { throw InspectionError.badInput("No delete was left unfinished in this store.") }
        let list = "`modelstore delete FILE --unfinished` lists them."
        guard text.count >= Self.shortestBeginning else {
            throw InspectionError.badInput(
                "Give at least \(Self.shortestBeginning) characters of the identifier. \(list)")
        }
        let matches = records.filter { $0.id.uuidString.hasPrefix(text.uppercased()) }
        guard let match = matches.first else {
            throw InspectionError.badInput(
                "No unfinished delete is called \(text); it was finished, or dropped. \(list)")
        }
        guard matches.count == 1 else {
            throw InspectionError.badInput(
                "\(Amounts.count(matches.count)) unfinished deletes begin with \(text); give more of the identifier.")
        }
        return match
    }
}

extension DeleteJobRecord {
    /// Whether the deleted rows can be restored.
    package var isArchived: Bool { options.keeping == .everyChunk }

    /// `3 of 15 rows are gone already`.
    package var state: String {
        "\(Amounts.count(rowsDone)) of \(Amounts.count(rowsTotal, "row")) \(rowsDone == 1 ? "is" : "are") gone already"
    }
}
