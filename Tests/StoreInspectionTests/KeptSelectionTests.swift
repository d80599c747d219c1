import Foundation
import Testing

@testable import ObjectGraph
@testable import StoreInspection

@Suite("Kept deletes, chosen by what can be typed")
struct KeptSelectionTests {
    private func kept(_ token: RecoveryToken, rows: Int, at seconds: Double) -> KeptDelete {
        KeptDelete(
            token: token, date: Date(timeIntervalSinceReferenceDate: seconds), author: "a", summary: "\(rows) Item",
            rowCount: rows, linkCount: 1, byteCount: 10)
    }

    @Test("The steps of a long delete are one, whatever token of it is given, and come back the last first")
    func steps() throws {
        let job = UUID()
        let other = RecoveryToken()
        let steps = (0..<3).map { kept(RecoveryToken(chunk: $0, of: job), rows: $0 + 1, at: Double($0)) }
        let selection = KeptSelection([kept(other, rows: 7, at: -1)] + steps)
        #expect(selection.groups.map(\.rowCount) == [7, 6])
        let names =
            [job.uuidString, job.uuidString.lowercased(), String(job.uuidString.prefix(12))]
            + steps.map(\.token.description)
        for name in names {
            let group = try selection.group(name)
            #expect(group.inOrderOfRestoring == steps.reversed(), "\(name)")
            #expect(group.summary == "3 steps, the first: 1 Item")
        }
        #expect(try selection.group(other.description).steps.count == 1)
        // The first step was given up: what is left is still found by the delete's own name.
        #expect(try KeptSelection(Array(steps.dropFirst())).group(job.uuidString).steps.count == 2)
    }

    @Test("What is no delete's, or several's, is refused")
    func refused() {
        let selection = KeptSelection([kept(RecoveryToken(), rows: 1, at: 0), kept(RecoveryToken(), rows: 1, at: 1)])
        for text in ["", UUID().uuidString, "zzz"] {
            #expect(throws: InspectionError.self) { try selection.group(text) }
        }
        #expect(throws: InspectionError.self) { try KeptSelection([]).group("A") }
    }
}
