import CFaultVFS
import CoreData
import Foundation

/// Migrations of the farm that are killed, and checks of the files they leave.
extension MappedFarm {
    /// Migrates the file; the nth writing call kills the process. With 0 none does.
    /// - Returns: the number of calls.
    func migrate(_ way: Way, _ journal: String, killAt nth: Int) throws -> Int {
        fault_arm(FaultKill, nth, 0)
        try migrate(way, journal)
        return Int(fault_disarm())
    }

    /// The progress of a migration when its process was killed.
    enum Moment: String, CaseIterable {
        case beforeCopying, copying, writing, replacing, replaced

        /// A manager makes no working copy, and before anything is copied only a write-ahead log is written.
        static func all(_ way: Way, _ journal: String) -> [Moment] {
            allCases.filter { way == .opening || $0 != .copying }.filter { journal == "WAL" || $0 != .beforeCopying }
        }
    }

    /// To be read before anything opens the file, which rolls back an unfinished transaction.
    func moment() throws -> Moment {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let isBegun = names.contains { $0.hasPrefix(".farm_MIGRATION-") || $0.hasPrefix("new-") }
        let hasLog = names.contains { ["farm.sqlite-journal", "farm.sqlite-wal"].contains($0) && size($0) > 0 }
        if try copied().version() == .second { return .replaced }
        if isBegun, hasLog { return .replacing }
        if names.contains(where: { $0.hasSuffix("/migrated.sqlite") || $0.hasPrefix("new-") }) { return .writing }
        return isBegun ? .copying : .beforeCopying
    }

    private func size(_ name: String) -> Int {
        let path = folder.appendingPathComponent(name).path
        return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    /// The file and its log in another folder, so that reading changes nothing.
    private func copied() throws -> MappedFarm {
        let copy = MappedFarm(folder: folder.path + "-looked-at")
        try? FileManager.default.removeItem(at: copy.folder)
        try FileManager.default.createDirectory(at: copy.folder, withIntermediateDirectories: true)
        for ending in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: url.path + ending) {
            try FileManager.default.copyItem(atPath: url.path + ending, toPath: copy.url.path + ending)
        }
        return copy
    }

    /// - Returns: errors of a file whose process was killed while it migrated, before and after it is migrated again.
    func problems(_ way: Way, _ journal: String) throws -> [String] {
        var problems: [String] = []
        let found = try version()
        if try contents(found) != Self.contents(found) { problems.append("after the crash: other objects") }
        try ageCopies()
        try migrate(way, journal)
        if try version() != .second { problems.append("not migrated again") }
        if try contents(.second) != Self.contents(.second) { problems.append("after migrating: other objects") }
        // A store that needs no migration is opened without checking other files of its folder.
        if way == .opening, found == .first { problems += try leftFiles().map { "after migrating: \($0) is left" } }
        return problems
    }

    /// Copies of killed processes are removed once they are a minute old.
    private func ageCopies() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where name.hasPrefix(".farm_MIGRATION-") {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -120)],
                ofItemAtPath: folder.appendingPathComponent(name).path)
        }
    }

    /// A line for each animal.
    private func contents(_ version: Version) throws -> [String] {
        try withContext(version) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).map { animal in
                let photo = animal.value(forKey: "photo") as? Data ?? Data()
                let keeper = animal.value(forKey: "keeper") as? NSManagedObject
                let name = keeper?.value(forKey: version == .first ? "name" : "fullName") as? String
                let loud = version == .first ? nil : animal.value(forKey: "loud") as? String
                return Self.line(animal.value(forKey: "name") as? String, loud, Set(photo), photo.count, name)
            }
        }
    }

    private static func contents(_ version: Version) -> [String] {
        ["Bo", "Max", "Rex"].enumerated().map { number, name in
            let loud = version == .first ? nil : name.uppercased()
            return line(name, loud, [UInt8(number)], 200_000 + number, number > 0 ? "Ida" : nil)
        }
    }

    private static func line(
        _ name: String?, _ loud: String?, _ bytes: Set<UInt8>, _ count: Int, _ keeper: String?
    ) -> String {
        "\(name ?? "-") \(loud ?? "-") \(count) \(bytes.sorted()) \(keeper ?? "-")"
    }

    /// Files that do not belong to the migrated store.
    private func leftFiles() throws -> [String] {
        let photos = ".farm_SUPPORT/_EXTERNAL_DATA/"
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let known = ["farm.sqlite", "farm.sqlite-wal", "farm.sqlite-shm", ".farm_SUPPORT", String(photos.dropLast())]
        let files = names.filter { $0.hasPrefix(photos) }
        return names.filter { !known.contains($0) && !$0.hasPrefix(photos) } + (files.count > 3 ? files : [])
    }
}
