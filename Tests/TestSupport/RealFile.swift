import Foundation
import Testing

/// A store written by Apple's frameworks. Tests open copies only: opening one would empty its write-ahead log.
package struct RealFile: Sendable, Hashable, CustomTestStringConvertible {
    /// The path in the folder of these files.
    package let path: String

    package init(_ path: String) { self.path = path }

    package var testDescription: String { path }

    package static let cocktails = RealFile("cocktails/Cocktails.store")
    package static let books = RealFile("coredataplus/SampleModel2_V1.sqlite")
    package static let resources = RealFile("resources/B/default.store")
    package static let notes = RealFile("notes/NoteStore-macOS-26.sqlite")

    package static let all =
        [
            cocktails, RealFile("coredataplus/SampleModel_V1.sqlite"), RealFile("coredataplus/SampleModel_V2.sqlite"),
            books, RealFile("coredataplus/SampleModel2_V2.sqlite"), RealFile("resources/A/default.store"), resources,
            RealFile("wire/store2-24-1.wiredatabase"), RealFile("wire/store2-5.wiredatabase"), notes,
        ]

    /// Those with the tables of a history.
    package static let withHistory = all.filter { !$0.path.contains("SampleModel_V") && !$0.path.hasPrefix("wire/") }

    /// `OPENSWIFTDATA_STORES`, or a folder beside the package.
    package static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["OPENSWIFTDATA_STORES"] {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        let package = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return package.deletingLastPathComponent().appendingPathComponent("shared/stores", isDirectory: true)
    }()

    package static let areAvailable = all.allSatisfy { FileManager.default.fileExists(atPath: $0.original.path) }

    package var original: URL { Self.folder.appendingPathComponent(path) }

    /// Copies the store and its write-ahead log. The copies can be written, whatever the originals permit.
    package func copy(to url: URL) throws {
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + ending) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: original.path + ending))
            try bytes.write(to: URL(fileURLWithPath: url.path + ending))
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test if Apple's files are missing.
    package static var realFiles: Self {
        .enabled(if: RealFile.areAvailable, "no stores of Apple's frameworks here: see Tests/README.md")
    }
}
