import Foundation
import Testing

@testable import SQLiteStore
@testable import StoreBrowser
@testable import StoreInspection

/// Files without a model of their own.
@Suite("Pages with the app's model")
struct GivenModelTests {
    @Test("A file without its model can be shown and changed with the app's model")
    func given() async throws {
        let store = try BrowsedStore()
        let whole = try await store.rows("Book")
        let connection = try Connection(.file(store.url), access: .readWrite)
        let model = try #require(try ModelCache.model(connection))
        try connection.execute("DELETE FROM Z_MODELCACHE")
        let versions = ModelVersions(
            name: "Library", versions: [ModelVersions.Version(name: "Library", model: model)], currentVersion: "Library"
        )
        try await store.restart {
            $0.models = versions
            $0.mayWrite = true
        }
        #expect(try await store.rows("Book") == whole)
        #expect(await !store.text("rows/Book").contains("--model"))
        #expect(try await store.delete("entity=Note").status != .failed)
        await store.site.operation.waitUntilFinished()
        #expect(try await store.rows("Note").isEmpty)
        #expect(try await store.rows("Book") == whole)
    }
}
