import CoreData
import Foundation
import TestSupport
import Testing

/// Stores added, copied and destroyed by the path of a symbolic link.
@Suite("Stores behind symbolic links")
struct LinkedFileTests {
    private func link(to url: URL, in folder: URL) throws -> URL {
        let links = folder.appendingPathComponent("links")
        try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
        let link = links.appendingPathComponent("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        return link
    }

    private func add(_ url: URL) throws -> TestStack {
        let stack = try TestStack(addsStore: false)
        try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        return stack
    }

    @Test("A store is opened, written and migrated at the link's destination")
    func opened() throws {
        let stack = try TestStack(.file)
        stack.insert("Tag", ["label": "red"])
        try stack.context.save()
        let link = try link(to: stack.fileURL(), in: stack.folder)
        let other = try add(link)
        #expect(try other.count("Tag") == 1)
        other.insert("Tag", ["label": "blue"])
        try other.context.save()
        #expect(try stack.count("Tag") == 2)
        #expect(other.coordinator.persistentStores.first?.url == link)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: link.deletingLastPathComponent().path)
                == ["link.sqlite"])
    }

    @Test("Destroying a store by a link empties its file, and a new store is created at the destination")
    func destroyed() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let real = folder.appendingPathComponent("zoo.sqlite")
        let link = try link(to: real, in: folder.url)
        for _ in 0..<2 {
            let stack = try add(link)
            #expect(try stack.count("Tag") == 0)
            stack.insert("Tag")
            try stack.context.save()
            #expect(FileManager.default.fileExists(atPath: real.path))
            try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
            try stack.coordinator.destroyPersistentStore(at: link, type: .sqlite)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(
                Set(names) == ["links", real.lastPathComponent]
                    && FileManager.default.contents(atPath: real.path) == Data())
        }
    }
}
