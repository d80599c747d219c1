import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

/// A file made under a temporary name never replaces an existing one.
@Suite("Names of finished files")
struct FinalNameTests {
    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("A file gets its name, unless another file has it")
    func files() throws {
        try withTemporaryFolder { folder in
            let (made, target) = (folder.appendingPathComponent("made"), folder.appendingPathComponent("target"))
            try Data("new".utf8).write(to: made)
            try Data("others'".utf8).write(to: target)
            #expect(throws: InspectionError.alreadyThere(target.path)) { try FinalName.give(target, to: made) }
            #expect(try Data(contentsOf: target) == Data("others'".utf8) && Data(contentsOf: made) == Data("new".utf8))
            try FileManager.default.removeItem(at: target)
            try FinalName.give(target, to: made)
            #expect(try names(folder) == ["target"] && Data(contentsOf: target) == Data("new".utf8))
        }
    }

    @Test("A folder can replace an empty folder at most")
    func folders() throws {
        try withTemporaryFolder { folder in
            let files = FileManager.default
            let (made, target) = (folder.appendingPathComponent("made"), folder.appendingPathComponent("target"))
            for url in [made, target] { try files.createDirectory(at: url, withIntermediateDirectories: false) }
            try Data("new".utf8).write(to: made.appendingPathComponent("a"))
            try Data("others'".utf8).write(to: target.appendingPathComponent("b"))
            #expect(throws: InspectionError.alreadyThere(target.path)) { try FinalName.give(target, to: made) }
            #expect(try names(target) == ["b"] && names(made) == ["a"])
            try files.removeItem(at: target.appendingPathComponent("b"))
            try FinalName.give(target, to: made)
            #expect(try names(folder) == ["target"] && names(target) == ["a"])
        }
    }

    // MARK: Stores

    private static let picture = Data(repeating: 7, count: ExternalData.threshold + 1)

    private func make(_ url: URL) throws {
        var item = EntityDescription("Item")
        item.attributes = [Attribute("picture", .binary, optional: true)]
        item.attributes[0].allowsExternalStorage = true
        let store = try SQLiteStore(model: try Model([item]), location: .file(url))
        var changes = ChangeSet()
        changes.insertions = [
            ChangeSet.Insertion(id: .temporary(entityName: "Item"), entityIndex: 0, values: [.bytes(Self.picture)])
        ]
        _ = try store.save(changes)
    }

    @Test("A new store is moved to its place completely, with its large values, and nothing is left beside it")
    func newStore() throws {
        try withTemporaryFolder { folder in
            let target = folder.appendingPathComponent("new.store")
            do {
                let unfinished = try UnfinishedStore(target)
                try make(unfinished.url)
                #expect(try names(folder).count == 1)
                try unfinished.finish()
                unfinished.remove()
            }
            #expect(try names(folder) == [".new_SUPPORT", "new.store"])
            let row = try InspectedFile(target).store().reading { try $0.fetch(Query(entityIndex: 0)).first }
            #expect(row?.values.first == .bytes(Self.picture))
        }
    }

    @Test("A file created at a new store's place meanwhile is not overwritten", arguments: ["", "-wal", "-journal"])
    func others(suffix: String) throws {
        try withTemporaryFolder { folder in
            let target = folder.appendingPathComponent("new.store")
            let theirs = URL(fileURLWithPath: target.path + suffix)
            do {
                let unfinished = try UnfinishedStore(target)
                try make(unfinished.url)
                try Data("others'".utf8).write(to: theirs)
                #expect(throws: InspectionError.alreadyThere(theirs.path)) { try unfinished.finish() }
                unfinished.remove()
            }
            #expect(try names(folder).filter { !$0.hasSuffix("_SUPPORT") } == [theirs.lastPathComponent])
            #expect(try Data(contentsOf: theirs) == Data("others'".utf8))
            #expect(throws: InspectionError.alreadyThere(theirs.path)) { try UnfinishedStore(target) }
        }
    }

    // MARK: Text

    @Test("A text file is never overwritten")
    func text() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.txt")
            let file = try TextFile(url)
            try file.write("one")
            try file.write(String(repeating: "x", count: 1 << 19))
            try file.finish()
            #expect(try Data(contentsOf: url).count == 3 + (1 << 19))
            #expect(throws: InspectionError.self) { try TextFile(url) }
            #expect(throws: InspectionError.self) { try TextFile(folder.appendingPathComponent("none/a.txt")) }
        }
    }
}
