import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreInspection

/// Copies made before a store is changed.
@Suite("Backups")
struct BackupTests {
    private static let picture = Data(repeating: 7, count: ExternalData.threshold + 1)

    private func make(_ url: URL) throws {
        var item = EntityDescription("Item")
        item.attributes = [Attribute("picture", .binary, optional: true)]
        item.attributes[0].allowsExternalStorage = true
        let store = try SQLiteStore(model: try Model([item], versionIdentifiers: ["1"]), location: .file(url))
        var changes = ChangeSet()
        changes.insertions = [
            ChangeSet.Insertion(id: .temporary(entityName: "Item"), entityIndex: 0, values: [.bytes(Self.picture)])
        ]
        _ = try store.save(changes)
    }

    private func picture(in url: URL) throws -> Value? {
        try InspectedFile(url).store().reading { try $0.fetch(Query(entityIndex: 0)).first?.values.first }
    }

    @Test("Each backup of a store with large values has them in a folder of its own", arguments: ["App.sqlite", "App"])
    func bigValues(name: String) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent(name)
            try make(url)
            // Within one second, so that the time alone does not distinguish them.
            let backups = try (0..<3).map { _ in
                try #require(try WritableStore.open(url, others: .refuse, backup: .make).backup)
            }
            #expect(Set(backups).count == 3)
            #expect(Set(backups.map { ExternalData(storeURL: $0).folder }).count == 3)
            for backup in backups {
                #expect(backup.lastPathComponent.hasPrefix("App-backup-"))
                #expect(backup.pathExtension == url.pathExtension)
                #expect(try picture(in: backup) == .bytes(Self.picture))
            }
        }
    }

    @Test("A backup has the values of all its rows, even if a value was replaced during the copy")
    func givenUpMeanwhile() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("App.sqlite")
            try make(url)
            let store = try SQLiteStore(model: try #require(InspectedFile(url).facts.model), location: .file(url))
            var rowsCopied = 0
            let backup = try StoreBackup.make(of: try DatabaseFile(url), progress: { _, _ in }) { part in
                if part == .rows { rowsCopied += 1 }
                guard rowsCopied < 2 else { return }
                let row = try #require(try store.fetch(Query(entityIndex: 0)).first)
                let picture = part == .values ? Data(repeating: 8, count: Self.picture.count) : Data()
                var changes = ChangeSet()
                changes.updates = [
                    ChangeSet.Update(
                        id: row.id, entityIndex: 0, expectedVersion: row.version, values: [.bytes(picture)],
                        changedSlots: [0], changedToMany: [])
                ]
                guard case .saved = try store.save(changes) else { throw CocoaError(.fileWriteUnknown) }
            }
            #expect(rowsCopied > 1)
            #expect(try picture(in: backup) == .bytes(Data(repeating: 8, count: Self.picture.count)))
            let copied = try SQLiteStore(model: store.model, location: .file(backup))
            #expect(try copied.check().filter { $0.kind == .missingFile } == [])
        }
    }

    @Test("Values that are missing in the store itself do not prevent a backup")
    func lostBefore() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("App.sqlite")
            try make(url)
            let values = ExternalData(storeURL: url).folder
            for name in try FileManager.default.contentsOfDirectory(atPath: values.path) {
                try FileManager.default.removeItem(at: values.appendingPathComponent(name))
            }
            let backup = try StoreBackup.make(of: try DatabaseFile(url), progress: { _, _ in })
            #expect(FileManager.default.fileExists(atPath: backup.path))
        }
    }

    @Test("A private copy is not copied again before the file is opened for writing")
    func copiedOnce() throws {
        try withTemporaryFolder { folder in
            let open = folder.appendingPathComponent("Open.sqlite")
            try make(open)
            let store = try SQLiteStore(model: try InspectedFile(open).store().model, location: .file(open))
            var changes = ChangeSet()
            changes.insertions = [
                ChangeSet.Insertion(id: .temporary(entityName: "Item"), entityIndex: 0, values: [.null])
            ]
            _ = try store.save(changes)
            // As left by a program that ends without closing its file.
            let url = folder.appendingPathComponent("App.sqlite")
            for suffix in ["", "-wal"] {
                try Data(contentsOf: URL(fileURLWithPath: open.path + suffix)).write(
                    to: URL(fileURLWithPath: url.path + suffix))
            }
            let longAgo = Date(timeIntervalSinceNow: -3600)
            try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: url.path)
            let size = try #require(FileStamp(url)?.size)
            func copied(_ earlier: InspectedFile?) throws -> [Int64] {
                var reported: [Int64] = []
                _ = try WritableStore.Preparation(url, reusing: earlier, others: .refuse, backup: .none) { done, _ in
                    reported.append(done)
                }
                return reported
            }
            let earlier = try InspectedFile(url)
            #expect(earlier.untouched.way == .privateCopy)
            #expect(try copied(earlier).allSatisfy { $0 > size })
            withExtendedLifetime((store, earlier)) {}
        }
    }

    @Test("A backup stopped at its very end leaves nothing, too")
    func stoppedLate() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("App.sqlite")
            try make(url)
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            var reported: [Int64] = []
            _ = try WritableStore.Preparation(url, others: .refuse, backup: .make) { done, total in
                reported.append(total - done)
            }
            #expect(reported.last == 0)
            for name in StoreBackup.names(beside: url) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
            var left = reported.count
            #expect(throws: CancellationError.self) {
                try WritableStore.open(url, others: .refuse, backup: .make) { _, _ in
                    left -= 1
                    if left == 0 { throw CancellationError() }
                }
            }
            #expect(StoreBackup.names(beside: url).isEmpty)
            let now = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(now.filter { !$0.hasPrefix(".App-backup") }.sorted() == before)
        }
    }

    @Test("A backup has the mode of its store", arguments: [0o600, 0o640, 0o644, 0o604, 0o666])
    func mode(wanted: Int) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("App.sqlite")
            try make(url)
            #expect(chmod(url.path, mode_t(wanted)) == 0)
            let backup = try #require(try WritableStore.open(url, others: .refuse, backup: .make).backup)
            var status = stat()
            #expect(stat(backup.path, &status) == 0)
            #expect(Int(status.st_mode & 0o777) == wanted, "\(String(status.st_mode, radix: 8))")
        }
    }

    private func names(_ folder: URL, _ part: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(part) }
    }

    private func insertion() -> ChangeSet {
        var changes = ChangeSet()
        changes.insertions = [ChangeSet.Insertion(id: .temporary(entityName: "Item"), entityIndex: 0, values: [.null])]
        return changes
    }

    @Test("A backup is kept once a change was committed, even if the log did not grow; otherwise it is removed")
    func needless() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("App.sqlite")
            try make(url)
            let other = try SQLiteStore(model: try #require(InspectedFile(url).facts.model), location: .file(url))
            for _ in 0..<20 { _ = try other.save(insertion()) }
            let log = URL(fileURLWithPath: url.path + "-wal")
            let size = try #require(FileStamp(log)?.size)
            // Everything is checkpointed, and the next save overwrites the log from its beginning.
            try Connection(.file(url), access: .readWrite).execute("PRAGMA wal_checkpoint(PASSIVE)")
            for saves in [false, true] {
                let opened = try WritableStore.open(url, others: .writeBeside, backup: .make)
                let backup = try #require(opened.backup)
                if saves { _ = try opened.store.save(insertion()) }
                #expect(throws: CancellationError.self) {
                    try opened.store.save(insertion()) { throw CancellationError() }
                }
                #expect(FileStamp(log)?.size == size)
                #expect(opened.removeNeedlessBackup() == !saves)
                #expect(FileManager.default.fileExists(atPath: backup.path) == saves)
            }
            withExtendedLifetime(other) {}
        }
    }

    @Test("A log overwritten from its beginning counts as changed, whatever its size")
    func overwrittenLog() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("App.sqlite")
            try make(url)
            let store = try SQLiteStore(model: try #require(InspectedFile(url).facts.model), location: .file(url))
            for _ in 0..<20 { _ = try store.save(insertion()) }
            try Connection(.file(url), access: .readWrite).execute("PRAGMA wal_checkpoint(PASSIVE)")
            let log = URL(fileURLWithPath: url.path + "-wal")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -600)], ofItemAtPath: log.path)
            let before = try DatabaseFile(url)
            #expect(before.isUnchanged)
            _ = try store.save(insertion())
            #expect(before.logSize == FileStamp(log)?.size && before.stamp == FileStamp(url))
            #expect(!before.isUnchanged)
        }
    }

    @Test("A backup whose large values cannot be copied leaves nothing behind")
    func failure() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("App.sqlite")
            try make(url)
            let values = ExternalData(storeURL: url).folder
            try FileManager.default.removeItem(at: values)
            try Data().write(to: values)
            #expect(throws: DatabaseFileError.self) {
                try WritableStore.open(url, others: .refuse, backup: .make)
            }
            #expect(try names(folder, "-backup-") == [] && names(folder, "_BACKUP-") == [])
        }
    }

    @Test("An interrupted backup is removed by the next one, and a running one is not")
    func cutOff() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("App.sqlite")
            try make(url)
            func leave(_ name: String) throws -> URL {
                let left = folder.appendingPathComponent(name, isDirectory: true)
                try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
                try Data().write(to: left.appendingPathComponent(".claim"))
                let longAgo = Date(timeIntervalSinceNow: -600)
                try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: left.path)
                return left
            }
            _ = try leave(".App.sqlite_BACKUP-dead")
            let alive = try FileHandle(
                forReadingFrom: leave(".App.sqlite_BACKUP-alive").appendingPathComponent(".claim"))
            #expect(flock(alive.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
            #expect(StoreBackup.unfinishedNames(beside: url).count == 2)
            let backup = try #require(try WritableStore.open(url, others: .refuse, backup: .make).backup)
            #expect(StoreBackup.unfinishedNames(beside: url) == [".App.sqlite_BACKUP-alive"])
            #expect(StoreBackup.names(beside: url) == [backup.lastPathComponent])
            withExtendedLifetime(alive) {}
        }
    }
}
