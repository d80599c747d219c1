import AppleFormats
import Foundation
import ObjectGraph
import SQLiteStore
import StoreSQL

/// The description of a file that `info` prints.
package struct StoreSummary: Sendable {
    package let file: InspectedFile
    /// Row counts of the entities without subentities, in the order of the model; empty if the file cannot be opened as
    /// a store.
    package let counts: [Int]
    package let archivedDeletes: [ArchivedDelete]
    package let jobs: [DeleteJobRecord]
    /// Why the file cannot be opened as a store.
    package let obstacle: String?

    /// The content of the file as a store.
    package struct Contents: Sendable {
        fileprivate let counts: [Int]
        fileprivate let archivedDeletes: [ArchivedDelete]
        fileprivate let jobs: [DeleteJobRecord]

        fileprivate init(_ store: SQLiteStore) throws {
            counts = try store.ownRowCounts()
            archivedDeletes = try store.archivedDeletes()
            jobs = try store.jobs()
        }
    }

    /// - Parameter running: runs the closure that reads the store, so that it can be stopped.
    /// - Throws: errors of reading, unless they are reported as the obstacle.
    package init(
        _ file: InspectedFile,
        running: (SQLiteStore, _ read: () throws -> Contents) throws -> Contents = { try $1() }
    ) throws {
        self.file = file
        try file.checkMetadata()
        do {
            let store = try file.store()
            let found = try file.describingErrors { try running(store) { try Contents(store) } }
            (counts, archivedDeletes, jobs, obstacle) = (found.counts, found.archivedDeletes, found.jobs, nil)
        } catch let error where error is InspectionError || error is StorageMapError || error is StoreOpeningError {
            (counts, archivedDeletes, jobs, obstacle) = ([], [], [], String(describing: error))
        }
    }

    private var facts: StoreFileFacts { file.facts }
    private var metadata: StoreMetadata { facts.metadata ?? StoreMetadata(uuid: "", propertyList: [:]) }

    // MARK: Model

    package enum HashAgreement: Sendable, Hashable {
        case agree
        /// Entities whose hashes differ, or that exist on one side only.
        case differ([String])
        case unknown
    }

    /// Whether the model in the file is the one the file was last written with.
    package var hashes: HashAgreement {
        guard let model = facts.model, !metadata.versionHashes.isEmpty else { return .unknown }
        let (own, stored) = (model.versionHashes, metadata.versionHashes)
        let names = Set(own.keys).union(stored.keys).filter { own[$0] != stored[$0] }.sorted()
        return names.isEmpty ? .agree : .differ(names)
    }

    /// Whether the digest and checksum in the metadata match the hashes; `nil` if there are none.
    package var sumsAgree: Bool? {
        let hashes = metadata.versionHashes
        guard metadata.digest != nil || metadata.checksum != nil else { return nil }
        return (metadata.digest.map { $0 == VersionHash.digest(of: hashes) } ?? true)
            && (metadata.checksum.map { $0 == VersionHash.checksum(of: hashes) } ?? true)
    }

    /// A guess: SwiftData versions its models as `1.0.0` and always keeps history. No field of a file names the
    /// framework.
    package var framework: String {
        let looksVersioned = metadata.versionIdentifiers.contains { $0.split(separator: ".").count == 3 }
        let hasEnums =
            facts.model?.entities.contains { $0.attributes.contains { $0.attribute.type == .composite } } ?? false
        return facts.history != .none && (looksVersioned || hasEnums) ? "SwiftData" : "Core Data"
    }

    /// The framework version, with the systems that had it: `1414 (iOS 18, macOS 15)`.
    package var writtenBy: String {
        guard let number = metadata.frameworkVersion else { return "unknown" }
        return FrameworkVersion.name(number).map { "\(number) (\($0))" } ?? String(number)
    }

    /// Metadata entries added by an app.
    package var appMetadata: [InspectedField] {
        let own = metadata.propertyList.filter { !$0.key.hasPrefix("NS") && !$0.key.hasPrefix("_NS") }
        return own.sorted { $0.key < $1.key }.map { InspectedField($0.key, Self.value($0.value)) }
    }

    private static func value(_ found: PropertyList) -> InspectedValue {
        if case .data(let bytes) = found { return BytesText.readable(bytes) }
        var content = ArchivedContent(found)
        return content.value()
    }

    package var externalFiles: (count: Int, bytes: Int64) {
        let folder = ExternalData(storeURL: file.url).folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let sizes = names.compactMap { FileStamp(folder.appendingPathComponent($0))?.size }
        return (names.count, sizes.reduce(0, +))
    }

    /// Bytes of free pages.
    package var freeBytes: Int64 { Int64(facts.freePageCount) * facts.pageSize }
}

/// Names for the framework builds recorded in files.
enum FrameworkVersion {
    /// The first build of a system, ascending.
    private static let systems: [(first: Int64, name: String)] = [
        (46, "Mac OS X 10.4"), (185, "Mac OS X 10.5"), (241, "iOS 3, Mac OS X 10.6"), (320, "iOS 4"),
        (358, "Mac OS X 10.7"), (386, "iOS 5"), (407, "iOS 6, OS X 10.8"), (479, "iOS 7, OS X 10.9"),
        (500, "iOS 8, macOS 10.10"), (640, "iOS 9, macOS 10.11"), (750, "iOS 10, macOS 10.12"),
        (840, "iOS 11, macOS 10.13"), (860, "iOS 12, macOS 10.14"), (950, "iOS 13, macOS 10.15"),
        (1040, "iOS 14, macOS 11"), (1140, "iOS 15, macOS 12"), (1230, "iOS 16, macOS 13"), (1330, "iOS 17, macOS 14"),
        (1400, "iOS 18, macOS 15"), (1500, "iOS 26, macOS 26"),
    ]

    static func name(_ number: Int64) -> String? { systems.last { $0.first <= number }?.name }
}
