import Foundation
import StoreSQL
import TestSupport
import Testing

@testable import SQLiteStore
@testable import SwiftData

@Model
final class Photo {
    @Attribute(.unique) var name: String
    @Attribute(.externalStorage) var data: Data
    @Attribute(.externalStorage) var thumbnail: Data?

    init(_ name: String, _ data: Data) {
        self.name = name
        self.data = data
    }
}

@Suite("Large values in files beside the store, through models")
struct ExternalStorageTests {
    private struct Album {
        let url: URL
        let context: ModelContext

        var folder: URL { url.deletingLastPathComponent().appendingPathComponent(".My Photos_SUPPORT/_EXTERNAL_DATA") }

        var files: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []) }

        func cell(_ column: String, _ key: Int64) throws -> Cell {
            try #require(try StoreContents(url).cell("ZPHOTO", key, column))
        }

        /// The name of the file a cell refers to.
        func file(_ column: String, _ key: Int64) throws -> String {
            let bytes = try #require(try cell(column, key).data)
            #expect(bytes.first == 2)
            return String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private let big = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    private let small = Data("small".utf8)

    private func withAlbum(_ body: (Album) throws -> Void) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("My Photos.store")
            let container = try ModelContainer(for: Photo.self, configurations: ModelConfiguration(url: url))
            try body(Album(url: url, context: ModelContext(container)))
        }
    }

    private func stored(_ photo: Photo, _ album: Album) throws -> Photo {
        album.context.insert(photo)
        try album.context.save()
        return photo
    }

    @Test("A small value is in its cell, after its tag")
    func inline() throws {
        try withAlbum { album in
            let photo = try stored(Photo("a", small), album)
            photo.thumbnail = Data()
            try album.context.save()
            #expect(try album.cell("ZDATA", photo.key) == .bytes(Data([1]) + small))
            #expect(try album.cell("ZTHUMBNAIL", photo.key) == .bytes(Data([1])))
            #expect(album.files.isEmpty)
            let other = try #require(try ModelContext(album.context.container).fetch(FetchDescriptor<Photo>()).first)
            #expect(other.data == small)
            #expect(other.thumbnail == Data())
        }
    }

    @Test("A large value is in a file, which another process reads")
    func file() throws {
        try withAlbum { album in
            let photo = try stored(Photo("a", big), album)
            let name = try album.file("ZDATA", photo.key)
            #expect(UUID(uuidString: name) != nil)
            #expect(album.files == [name])
            #expect(try Data(contentsOf: album.folder.appendingPathComponent(name)) == big)
            #expect(try album.cell("ZTHUMBNAIL", photo.key) == .null)
            let again = try ModelContainer(
                for: Photo.self, configurations: ModelConfiguration(url: album.url, allowsSave: false))
            let other = try #require(try ModelContext(again).fetch(FetchDescriptor<Photo>()).first)
            #expect(other.data == big)
            #expect(other.thumbnail == nil)
        }
    }

    @Test("The file of a changed or deleted value is removed at the commit, not before")
    func replaced() throws {
        try withAlbum { album in
            let photo = try stored(Photo("a", big), album)
            let first = try album.file("ZDATA", photo.key)
            photo.data = big + small
            #expect(album.files == [first], "nothing happens before the save")
            try album.context.save()
            let second = try album.file("ZDATA", photo.key)
            #expect(album.files == [second])
            photo.name = "b"
            try album.context.save()
            #expect(album.files == [second], "another property leaves the file alone")
            photo.data = small
            photo.thumbnail = big
            try album.context.save()
            let third = try album.file("ZTHUMBNAIL", photo.key)
            #expect(album.files == [third])
            photo.thumbnail = nil
            try album.context.save()
            #expect(album.files.isEmpty)
            photo.thumbnail = big
            try album.context.save()
            album.context.delete(photo)
            #expect(album.files.count == 1)
            try album.context.save()
            #expect(album.files.isEmpty)
        }
    }

    @Test("rollback() keeps the file")
    func rollback() throws {
        try withAlbum { album in
            let photo = try stored(Photo("a", big), album)
            let files = album.files
            photo.data = small
            album.context.rollback()
            #expect(photo.data == big)
            album.context.delete(photo)
            album.context.insert(Photo("never", big + small))
            album.context.rollback()
            try album.context.save()
            #expect(album.files == files && files.count == 1)
            #expect(photo.data == big)
        }
    }

    @Test("A save that fails keeps the old file and removes the new one")
    func failedSave() throws {
        try withAlbum { album in
            let photo = try stored(Photo("a", big), album)
            _ = try stored(Photo("b", small), album)
            let files = album.files
            try Connection(.file(album.url), access: .readWrite).execute(
                "CREATE TRIGGER NO BEFORE UPDATE ON ZPHOTO BEGIN SELECT RAISE(ABORT, 'no'); END")
            photo.data = big + small
            album.context.insert(Photo("c", small + big))
            #expect(throws: (any Error).self) { try album.context.save() }
            #expect(album.files == files)
            try Connection(.file(album.url), access: .readWrite).execute("DROP TRIGGER NO")
            try album.context.save()
            #expect(album.files.count == 2)
            #expect(album.files.isDisjoint(with: files))
            let other = try ModelContext(album.context.container).fetch(FetchDescriptor<Photo>())
            #expect(other.map(\.data) == [big + small, small, small + big])
        }
    }

    @Test("A missing file is an error, not a trap")
    func missingFile() throws {
        try withAlbum { album in
            let photo = try stored(Photo("a", big), album)
            let name = try album.file("ZDATA", photo.key)
            try FileManager.default.removeItem(at: album.folder.appendingPathComponent(name))
            let error = try #require(throws: (any Error).self) {
                _ = try ModelContext(album.context.container).fetch(FetchDescriptor<Photo>()).map(\.data)
            }
            #expect(String(describing: error).contains("_SUPPORT"))
        }
    }

    @Test("The unique insertion that becomes an update replaces the file")
    func upsert() throws {
        try withAlbum { album in
            let photo = try stored(Photo("a", big), album)
            let first = album.files
            let again = try stored(Photo("a", small + big), album)
            #expect(again.key == photo.key)
            #expect(album.files.count == 1)
            #expect(album.files.isDisjoint(with: first))
            let other = try ModelContext(album.context.container).fetch(FetchDescriptor<Photo>())
            #expect(other.map(\.data) == [small + big])
        }
    }
}
