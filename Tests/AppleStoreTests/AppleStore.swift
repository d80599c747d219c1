import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

/// A file written by Apple's frameworks. It is never opened in place: that would empty its write-ahead log.
struct AppleStore: Sendable, CustomTestStringConvertible {
    let path: String
    var testDescription: String { path }

    static let all = [
        "cocktails/Cocktails.store", "coredataplus/SampleModel_V1.sqlite", "coredataplus/SampleModel_V2.sqlite",
        "coredataplus/SampleModel2_V1.sqlite", "coredataplus/SampleModel2_V2.sqlite", "resources/A/default.store",
        "resources/B/default.store", "wire/store2-24-1.wiredatabase", "wire/store2-5.wiredatabase",
        "notes/NoteStore-macOS-26.sqlite",
    ].map(AppleStore.init)

    static func named(_ path: String) -> AppleStore { AppleStore(path: path) }

    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["OPENSWIFTDATA_STORES"] {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        let package = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return package.deletingLastPathComponent().appendingPathComponent("shared/stores", isDirectory: true)
    }()

    static let areAvailable = all.allSatisfy {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent($0.path).path)
    }

    /// Passes a connection to a copy of the file and its log to the body.
    func withCopy<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try withCopiedFile { try body(try Connection(.file($0), access: .readWrite)) }
    }

    func withCopiedFile<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let files = FileManager.default
        let copyFolder = files.temporaryDirectory.appendingPathComponent("AppleStore-\(UUID().uuidString)")
        try files.createDirectory(at: copyFolder, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: copyFolder) }
        let source = Self.folder.appendingPathComponent(path)
        let copy = copyFolder.appendingPathComponent(source.lastPathComponent)
        try copyWritable(source, to: copy)
        let log = URL(fileURLWithPath: source.path + "-wal")
        if files.fileExists(atPath: log.path) { try copyWritable(log, to: URL(fileURLWithPath: copy.path + "-wal")) }
        if path.hasPrefix("wire/") { try Self.fillIn(copy) }
        return try body(copy)
    }

    /// A value's file was lost before the store was published; another value has to do.
    private static func fillIn(_ url: URL) throws {
        let sql = "SELECT ZIMAGEMEDIUMDATA FROM ZUSER WHERE substr(ZIMAGEMEDIUMDATA, 1, 1) = x'02'"
        let cells = try Connection(.file(url), access: .readOnly).withStatement(sql) { statement in
            var cells: [Data] = []
            while try statement.step() { cells.append(statement.bytes(at: 0)) }
            return cells
        }
        let folder = ExternalData(storeURL: url).folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in cells.compactMap(ExternalData.fileName) {
            try Data("a stand-in".utf8).write(to: folder.appendingPathComponent(name))
        }
    }

    private func copyWritable(_ source: URL, to copy: URL) throws {
        try Data(contentsOf: source).write(to: copy)
    }

    /// The model in the file.
    func model() throws -> Model {
        try withCopy { connection in try #require(try ModelCache.model(connection)) }
    }
}

/// Texts of the file's schema, in its order; indexes that SQLite made itself are left out.
func schema(_ connection: Connection, type: String) throws -> [String] {
    let sql = "SELECT sql FROM sqlite_master WHERE type = ?1 AND sql NOT NULL ORDER BY rowid"
    return try connection.withStatement(sql) { statement in
        try statement.bind(type, at: 1)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(at: 0)) }
        return texts.map(normalized)
    }
}

/// Only white space may differ; a column that Apple's frameworks added later has some before its comma.
func normalized(_ sql: String) -> String {
    sql.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacingOccurrences(of: " ,", with: ",")
}

/// A small generator with a seed, for damaged input.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
