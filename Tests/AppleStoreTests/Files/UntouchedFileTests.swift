import Foundation
import Testing

@testable import SQLiteStore
@testable import SwiftData

/// Current bytes and modification time of a file and its log.
private struct FileState: Equatable {
    let main: Data
    /// `nil` for an empty log, which reading the file may leave behind.
    let log: Data?
    let modified: [Date?]

    init(_ url: URL) throws {
        main = try Data(contentsOf: url)
        let logURL = URL(fileURLWithPath: url.path + "-wal")
        let bytes = FileManager.default.contents(atPath: logURL.path) ?? Data()
        log = bytes.isEmpty ? nil : bytes
        modified = (bytes.isEmpty ? [url] : [url, logURL]).map {
            try? FileManager.default.attributesOfItem(atPath: $0.path)[.modificationDate] as? Date
        }
    }

    /// Sets the clock of the files back, so that any write shows.
    static func aged(_ url: URL) throws -> FileState {
        for path in [url.path, url.path + "-wal"] where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path)
        }
        return try FileState(url)
    }
}

@Suite("Files that are only read")
struct UntouchedFileTests {
    private func readEverything(_ store: StoreUnderTest, _ url: URL, allowsSave: Bool) throws {
        try store.withContext(url, allowsSave: allowsSave) { context in
            try store.family.expectAgreement(context, try StoreContents(url))
            context.processPendingChanges()
            context.rollback()
            try context.save()
        }
    }

    /// Without a log beside it, so that nothing is pending.
    private func settle(_ url: URL) throws {
        try Connection(.file(url), access: .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    @Test("Opening, reading and closing leave bytes and time unchanged", arguments: StoreUnderTest.all)
    func writable(store: StoreUnderTest) throws {
        try store.withFile { url in
            try settle(url)
            let before = try FileState.aged(url)
            try readEverything(store, url, allowsSave: true)
            let after = try FileState(url)
            #expect(after.main == before.main)
            #expect(after.modified[0] == before.modified[0])
            #expect(after.log == nil)
        }
    }

    @Test("A read-only container leaves bytes and time unchanged, too", arguments: StoreUnderTest.all)
    func readOnly(store: StoreUnderTest) throws {
        try store.withFile { url in
            try settle(url)
            let before = try FileState.aged(url)
            try readEverything(store, url, allowsSave: false)
            let after = try FileState(url)
            #expect(after.main == before.main)
            #expect(after.modified[0] == before.modified[0])
        }
    }

    @Test("A read-only container reads a pending log and leaves it pending", arguments: StoreUnderTest.all)
    func readOnlyPending(store: StoreUnderTest) throws {
        try store.withPendingLog { url in
            let before = try FileState.aged(url)
            try readEverything(store, url, allowsSave: false)
            #expect(try FileState(url) == before)
        }
    }

    @Test("Checkpointing a pending log changes no row", arguments: StoreUnderTest.all)
    func writablePending(store: StoreUnderTest) throws {
        try store.withPendingLog { url in
            let before = try StoreContents(url)
            try readEverything(store, url, allowsSave: true)
            #expect(try StoreContents(url) == before)
            try expectSoundFile(url, journal: store.journal)
        }
    }

    @Test("A read-only container refuses to save and writes nothing", arguments: StoreUnderTest.of(ResourceFamily.self))
    func refusal(store: StoreUnderTest) throws {
        try store.withPendingLog { url in
            let before = try FileState.aged(url)
            try store.withContext(url, allowsSave: false) { context in
                context.insert(Item("Never"))
                #expect(throws: CocoaError.self) { try context.save() }
            }
            #expect(try FileState(url) == before)
        }
    }
}
