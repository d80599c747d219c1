import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import SQLiteStore

/// A copy of a store written by Apple's frameworks, with its write-ahead log, in a folder of its own, and the model in the file.
package final class RealFileCopy {
    private let folder: TemporaryFolder
    package let url: URL
    package let model: Model

    package init(_ file: RealFile) throws {
        folder = try TemporaryFolder("real")
        url = try file.copy(into: folder.url)
        model = try #require(try ModelCache.model(try Connection(.file(url), access: .readOnly)))
    }
}

extension RealFile {
    /// The model in the file.
    package func model() throws -> Model {
        try withCopy { connection in try #require(try ModelCache.model(connection)) }
    }

    /// Passes a connection to a copy of the file and its log to the body.
    package func withCopy<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try withCopiedFile { try body(try Connection(.file($0), access: .readWrite)) }
    }

    package func withCopiedFile<Result>(_ body: (URL) throws -> Result) throws -> Result {
        try withTemporaryFolder("real") { folder in try body(try copy(into: folder)) }
    }

    fileprivate func copy(into folder: URL) throws -> URL {
        let copy = folder.appendingPathComponent(original.lastPathComponent)
        try self.copy(to: copy)
        if path.hasPrefix("wire/") { try Self.fillIn(copy) }
        return copy
    }

    /// The file of a value was lost before the store was published; another value replaces it.
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
}
