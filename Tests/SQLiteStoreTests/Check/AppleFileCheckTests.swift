import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Checking files of Apple's", .enabled(if: AppleFiles.folder != nil, "no store files at hand"))
struct AppleFileCheckTests {
    /// What each file is known to have. They come from apps in use, and nothing is wrong with them; Notes sets one end only of
    /// a one-to-one relationship.
    private static let known: [String: [String]] = [
        "notes/NoteStore-macOS-26.sqlite": ["note halfSetInverse ICCloudSyncingObject.cloudState 20"]
    ]

    @Test("what is found in each file, and that reading it changes nothing", arguments: AppleFiles.stores)
    func findings(path: String) throws {
        let copy = try AppleFileCopy(path)
        let before = try Data(contentsOf: copy.url)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url), isReadOnly: true)
        let found = try store.check().map { "\($0.severity) \($0.kind) \($0.place) \($0.count)" }
        #expect(found == Self.known[path] ?? [])
        let plan = try store.repairPlan()
        #expect(plan.isEmpty && plan.unrepairable.isEmpty)
        #expect(try Data(contentsOf: copy.url) == before)
    }

    /// Where every row of a table must have something, taking it away must be noticed: the checks are not blind.
    @Test("damage to each of the files is noticed, and repaired as far as it can be", arguments: AppleFiles.stores)
    func damage(path: String) throws {
        let copy = try AppleFileCopy(path)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url))
        let layout = CheckLayout(store.map)
        var damaged = 0
        try store.pool.withWriter { connection in
            for key in layout.keys {
                try connection.execute("UPDATE \(key.table) SET \(key.column) = 999999 WHERE \(key.column) NOTNULL")
                damaged += connection.changeCount > 0 ? 1 : 0
            }
        }
        let found = try store.check()
        let properties = Set(found.filter { [.danglingKey, .orphan].contains($0.kind) }.map(\.place))
        #expect(properties.count == damaged, "\(properties.sorted())")
        #expect(damaged > 0)
        _ = try store.repair(try store.repairPlan())
        #expect(try store.repairPlan().steps.isEmpty)
        #expect(try store.check().allSatisfy { $0.kind == .orphan || $0.kind == .tooFewMembers })
    }
}
