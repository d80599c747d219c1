import Foundation
import ObjectGraph
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("Checking Apple's files", .realFiles)
struct AppleFileCheckTests {
    /// The known findings of each file. The files come from apps in use and are intact; Notes sets only one end of a one-to-one
    /// relationship.
    private static let known: [String: [String]] = [
        "notes/NoteStore-macOS-26.sqlite": ["note halfSetInverse ICCloudSyncingObject.cloudState 20"]
    ]

    @Test("checking each file gives the known findings, and changes nothing", arguments: RealFile.all)
    func findings(file: RealFile) throws {
        let copy = try RealFileCopy(file)
        let before = try Data(contentsOf: copy.url)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url), isReadOnly: true)
        let found = try store.check().map { "\($0.severity) \($0.kind) \($0.place) \($0.count)" }
        #expect(found == Self.known[file.path] ?? [])
        let plan = try store.repairPlan()
        #expect(plan.isEmpty && plan.unrepairable.isEmpty)
        #expect(try Data(contentsOf: copy.url) == before)
    }

    /// If every row of a table has a mandatory destination, removing it must be detected: the checks are effective.
    @Test("damage to each of the files is detected, and repaired as far as possible", arguments: RealFile.all)
    func damage(file: RealFile) throws {
        let copy = try RealFileCopy(file)
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
