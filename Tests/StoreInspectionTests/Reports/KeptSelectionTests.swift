import Foundation
import Testing

@testable import ObjectGraph
@testable import StoreInspection

@Suite("Selecting archived deletes by typed text")
struct KeptSelectionTests {
    private func kept(_ token: RecoveryToken, rows: Int, at seconds: Double) -> ArchivedDelete {
        ArchivedDelete(
            token: token, date: Date(timeIntervalSinceReferenceDate: seconds), author: "a", summary: "\(rows) Item",
            rowCount: rows, linkCount: 1, byteCount: 10)
    }

    @Test("The steps of a long delete are one group, found by any of their tokens, and restored in reverse order")
    func steps() throws {
        let job = UUID()
        let other = RecoveryToken()
        let steps = (0..<3).map { kept(RecoveryToken(chunk: $0, of: job), rows: $0 + 1, at: Double($0)) }
        let selection = ArchivedDeletionSelection([kept(other, rows: 7, at: -1)] + steps)
        #expect(selection.groups.map(\.rowCount) == [7, 6])
        let names =
            [job.uuidString, job.uuidString.lowercased(), String(job.uuidString.prefix(12))]
            + steps.map(\.token.description)
        for name in names {
            let group = try selection.group(name)
            #expect(group.inOrderOfRestoring == steps.reversed(), "\(name)")
            #expect(group.summary == "6 Item in 3 steps" && group.subject == "6 Item rows")
        }
        #expect(try selection.group(other.description).steps.count == 1)
        // The first step was discarded: the others are still found by the delete's own name.
        #expect(try ArchivedDeletionSelection(Array(steps.dropFirst())).group(job.uuidString).steps.count == 2)
    }

    @Test("An archived delete is described by its rows by entity, and by the selected ones")
    func summaries() throws {
        func group(_ summaries: String..., rows: Int) throws -> ArchivedDeletionGroup {
            let job = UUID()
            let steps = summaries.enumerated().map { place, summary in
                ArchivedDelete(
                    token: RecoveryToken(chunk: place, of: job), date: Date(), author: nil, summary: summary,
                    rowCount: place == 0 ? rows : 0, linkCount: 0, byteCount: 0)
            }
            return try #require(ArchivedDeletionSelection(steps).groups.first)
        }
        let asked = try group("2 Shelf, 1,200 Book by Shelf.books, 4 Page by Book.pages", rows: 1_206)
        #expect(asked.subject == "2 Shelf rows and 1,204 others" && asked.summary.hasPrefix("2 Shelf, 1,200 Book by"))
        let steps = try group("1,000 Line", "500 Line, 40 Step by Recipe.steps", "3 Recipe", rows: 1_543)
        #expect(steps.summary == "1,500 Line, 40 Step, 3 Recipe in 3 steps")
        #expect(steps.subject == "1,500 Line, 40 Step and 3 Recipe rows")
        // Texts of other kinds, and numbers that do not match.
        #expect(try group("3 Line without Line.recipe", "x", rows: 0).summary.hasPrefix("2 steps, the first: 3 Line"))
        let part = try group("1 Shelf, 100 Book by Shelf.books", rows: 40)
        #expect(part.subject == "40 rows" && part.summary == "40 rows of 1 Shelf, 100 Book by Shelf.books")
        #expect(try group("1,000 Line", "500 Line", rows: 600).summary == "600 rows in 2 steps")
        #expect(try group("5 Line", rows: 3).subject == "3 rows" && group("", rows: 1).subject == "1 row")
        #expect(try group("9223372036854775807 A", "9223372036854775807 A", rows: -5).subject == "-5 rows")
    }

    @Test("A text that matches no delete, or several, is refused")
    func refused() {
        let selection = ArchivedDeletionSelection([
            kept(RecoveryToken(), rows: 1, at: 0), kept(RecoveryToken(), rows: 1, at: 1),
        ])
        for text in ["", UUID().uuidString, "zzz"] {
            #expect(throws: InspectionError.self) { try selection.group(text) }
        }
        #expect(throws: InspectionError.self) { try ArchivedDeletionSelection([]).group("A") }
    }
}
