import Foundation
import SwiftData
import TestSupport
import Testing

/// Stores opened by the path of a symbolic link.
@Suite("Stores behind symbolic links")
struct LinkedFileTests {
    @Model final class Sheet {
        var number: Int
        @Attribute(.externalStorage) var image: Data?

        init(_ number: Int, image: Data? = nil) {
            self.number = number
            self.image = image
        }
    }

    private final class Places {
        private let temporary: TemporaryFolder
        var folder: URL { temporary.url }
        var real: URL { folder.appendingPathComponent("real/sheets.store") }
        var link: URL { folder.appendingPathComponent("links/other.store") }

        /// A link to the link of a file.
        init() throws {
            temporary = try TemporaryFolder()
            for name in ["real", "links"] {
                try FileManager.default.createDirectory(
                    at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
            }
            let middle = folder.appendingPathComponent("middle.store")
            try FileManager.default.createSymbolicLink(at: middle, withDestinationURL: real)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: middle)
        }

        func container(_ url: URL) throws -> ModelContainer {
            try ModelContainer(for: Sheet.self, configurations: ModelConfiguration(url: url))
        }
    }

    @Test("A store is created, and opened again, at the link's destination", arguments: [true, false])
    func opened(isMadeByLink: Bool) throws {
        let places = try Places()
        let image = Data(repeating: 7, count: 300 << 10)
        let made = ModelContext(try places.container(isMadeByLink ? places.link : places.real))
        made.insert(Sheet(1, image: image))
        try made.save()
        for url in [places.link, places.real] {
            let sheets = try ModelContext(places.container(url)).fetch(FetchDescriptor<Sheet>())
            #expect(sheets.map(\.number) == [1])
            #expect(sheets.first?.image == image)
        }
        let names = { try FileManager.default.contentsOfDirectory(atPath: $0) }
        #expect(try names(places.link.deletingLastPathComponent().path) == ["other.store"])
        #expect(try names(places.real.deletingLastPathComponent().path).contains(".sheets_SUPPORT"))
    }

    @Test("Containers on a link and on its destination use the same file")
    func neighbours() throws {
        let places = try Places()
        let one = ModelContext(try places.container(places.real))
        let other = ModelContext(try places.container(places.link))
        one.insert(Sheet(1))
        try one.save()
        #expect(try other.fetch(FetchDescriptor<Sheet>()).map(\.number) == [1])
        try other.delete(model: Sheet.self)
        try other.save()
        #expect(try one.fetchCount(FetchDescriptor<Sheet>()) == 0)
        #expect(throws: SwiftDataError.self) {
            let first = ModelConfiguration("one", url: places.real)
            _ = try ModelContainer(for: Sheet.self, configurations: first, ModelConfiguration("two", url: places.link))
        }
    }
}
