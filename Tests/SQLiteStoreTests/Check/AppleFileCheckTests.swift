import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Checking files of Apple's", .enabled(if: AppleFiles.folder != nil, "no store files at hand"))
struct AppleFileCheckTests {
    @Test("what is found in each file", arguments: AppleFiles.stores)
    func findings(path: String) throws {
        let copy = try AppleFileCopy(path)
        let store = try SQLiteStore(model: copy.model, location: .file(copy.url), isReadOnly: true)
        let found = try store.check()
        for finding in found { print(path, finding) }
    }
}
