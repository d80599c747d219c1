import Foundation
import TestSupport
import Testing

@testable import SQLiteStore

@Suite("External data")
struct ExternalDataTests {
    private func withStore(_ body: (ExternalData) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try body(ExternalData(storeURL: folder.appendingPathComponent("default.store")))
    }

    @Test("The folder is hidden beside the store")
    func folder() {
        let external = ExternalData(storeURL: URL(fileURLWithPath: "/tmp/place/My Notes.sqlite"))
        #expect(external.folder.path == "/tmp/place/.My Notes_SUPPORT/_EXTERNAL_DATA")
    }

    @Test("Small values stay in the cell after their tag")
    func inline() throws {
        try withStore { external in
            for value in [Data(), Data([1, 2, 3]), Data(repeating: 9, count: ExternalData.threshold)] {
                let (cell, file) = try external.cell(for: value)
                #expect(file == nil)
                #expect(cell == Data([1]) + value)
                #expect(try external.value(of: cell) == value)
            }
            #expect(!FileManager.default.fileExists(atPath: external.folder.path))
        }
    }

    @Test("Large values are stored in a file, which can be read and removed")
    func files() throws {
        try withStore { external in
            let value = Data(repeating: 7, count: ExternalData.threshold + 1)
            let (cell, file) = try external.cell(for: value)
            let name = try #require(file)
            #expect(cell.first == 2)
            #expect(cell.count == 1 + 36 + 1)
            #expect(ExternalData.fileName(in: cell) == name)
            #expect(try external.value(of: cell) == value)
            #expect(try external.value(of: cell.dropLast()) == value)
            #expect(try Data(contentsOf: external.folder.appendingPathComponent(name)) == value)
            #expect(external.remove([name, "../default.store"]) == [])
            #expect(throws: ExternalDataError.unreadableFile(name)) { try external.value(of: cell) }
        }
    }

    @Test("Cells without a proper tag or name are refused")
    func badCells() throws {
        try withStore { external in
            #expect(throws: ExternalDataError.unknownTag(nil)) { try external.value(of: Data()) }
            #expect(throws: ExternalDataError.unknownTag(3)) { try external.value(of: Data([3, 1])) }
            #expect(throws: ExternalDataError.badFileName) { try external.value(of: Data([2])) }
            #expect(throws: ExternalDataError.badFileName) {
                try external.value(of: Data([2]) + Data("../../etc/passwd".utf8))
            }
        }
    }
}
