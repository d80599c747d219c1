import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

/// Stores whose names differ only in the extension share one folder of large values.
@Suite("Folders of large values shared by stores")
struct SharedFolderTests {
    private static let picture = Data(repeating: 7, count: ExternalData.threshold + 1)

    private func make(_ url: URL) throws -> SQLiteStore {
        var item = EntityDescription("Item")
        item.attributes = [Attribute("picture", .binary, optional: true)]
        item.attributes[0].allowsExternalStorage = true
        let store = try SQLiteStore(model: try Model([item], versionIdentifiers: ["1"]), location: .file(url))
        var changes = ChangeSet()
        changes.insertions = [
            ChangeSet.Insertion(id: .temporary(entityName: "Item"), entityIndex: 0, values: [.bytes(Self.picture)])
        ]
        _ = try store.save(changes)
        return store
    }

    @Test("A repair planned on a private copy does not touch the neighbour's files, and can be executed")
    func repair() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let url = folder.appendingPathComponent("App.sqlite")
        let neighbour = try make(folder.appendingPathComponent("App.store"))
        let store = try make(url)
        try Connection(.file(url), access: .readWrite).execute(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Item'")
        let file = try InspectedFile(url)
        #expect(file.untouched.way == .privateCopy)
        let plan = try file.store().repairPlan()
        #expect(plan.steps.map(\.action) == [.raiseCounter(number: 1, to: 1)], "\(plan.steps)")
        #expect(plan.unrepairable.map(\.reason) == [.folderShared])
        _ = try store.repair(plan)
        #expect(try neighbour.check().filter { $0.kind == .missingFile } == [])
    }
}
