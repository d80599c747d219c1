import Foundation

/// Large values, those above a threshold, stored in files beside the store. The cell of such an attribute begins with a
/// tag byte: after 1 follows the value; after 2 follows the name of a file with the value.
///
/// Files are written before the commit of the transaction that refers to them. They are removed after the transaction
/// that removes the last reference is on the disk. So a crash can leave an unreferenced file, but never a missing one.
package struct ExternalData: Sendable, Hashable {
    /// `.<store name without extension>_SUPPORT/_EXTERNAL_DATA`, beside the store.
    package let folder: URL
    let storeURL: URL

    /// Values with more bytes than this get a file of their own.
    package static let threshold = 128 << 10

    private static let inlineTag: UInt8 = 1
    private static let fileTag: UInt8 = 2
    /// The tag of cells that name a file, as an SQL literal.
    static let fileTagLiteral = "x'02'"

    package init(storeURL: URL) {
        let storeURL = storeURL.followingLinks
        self.storeURL = storeURL
        let name = storeURL.deletingPathExtension().lastPathComponent
        folder = storeURL.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
            .appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
    }

    /// The content of a cell.
    package enum Content: Sendable, Hashable {
        case inline(Data)
        /// The name of a file in `folder`.
        case file(String)
    }

    // MARK: Reading

    /// - Throws: `ExternalDataError.unknownTag`, `.badFileName`.
    package static func content(of cell: Data) throws(ExternalDataError) -> Content {
        guard let tag = cell.first else { throw .unknownTag(nil) }
        switch tag {
        case inlineTag: return .inline(Data(cell.dropFirst()))
        case fileTag: return .file(try fileName(cell.dropFirst()))
        default: throw .unknownTag(tag)
        }
    }

    /// Accepts only a UUID, because a name with a path could refer to a file outside of the folder.
    private static func fileName(_ bytes: Data) throws(ExternalDataError) -> String {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        guard UUID(uuidString: text) != nil else { throw .badFileName }
        return text
    }

    /// Returns the value of a cell, and reads it from its file if it has one.
    /// - Throws: `ExternalDataError`.
    package func value(of cell: Data) throws(ExternalDataError) -> Data {
        switch try Self.content(of: cell) {
        case .inline(let value): return value
        case .file(let name):
            do {
                return try Data(contentsOf: url(of: name))
            } catch {
                throw .unreadableFile(name)
            }
        }
    }

    /// Returns the name of the file that a cell refers to; `nil` for a value in the cell itself.
    package static func fileName(in cell: Data) -> String? {
        if case .file(let name)? = try? content(of: cell) { name } else { nil }
    }

    /// Returns the names of files in the folder that are valid for external data. Empty if the folder does not exist.
    /// - Throws: `ExternalDataError.unreadableFolder`.
    func storedFileNames() throws(ExternalDataError) -> Set<String> {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return Set(names.filter { UUID(uuidString: $0) != nil })
        } catch {
            throw .unreadableFolder
        }
    }

    /// The maximum size of a cell that can name a file: the tag, a UUID's text, and room for a terminator.
    static let longestFileCell = 64

    // MARK: Writing

    /// Whether a value is stored in a file.
    package static func needsFile(_ value: Data) -> Bool { value.count > threshold }

    /// Returns the cell for a value, and writes a file if the value needs one.
    /// - Returns: The cell, and the new file's name, to be removed if the transaction fails.
    /// - Throws: `ExternalDataError.unwritableFile`.
    package func cell(for value: Data) throws(ExternalDataError) -> (cell: Data, file: String?) {
        guard Self.needsFile(value) else { return (Data([Self.inlineTag]) + value, nil) }
        let name = UUID().uuidString
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try value.write(to: url(of: name), options: .withoutOverwriting)
            try synchronize(url(of: name))
        } catch {
            try? FileManager.default.removeItem(at: url(of: name))
            throw .unwritableFile(name)
        }
        return (Data([Self.fileTag]) + Data(name.utf8) + Data([0]), name)
    }

    /// Writes a file to the disk, which must happen before a row refers to it.
    private func synchronize(_ url: URL) throws {
        let file = try FileHandle(forWritingTo: url)
        try file.synchronize()
        try file.close()
    }

    /// Synchronizes all files with the disk, for a copy that must survive a crash. Does nothing if there is no folder.
    /// - Throws: Errors from opening files, `ExternalDataError`.
    package func synchronizeFiles() throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        for name in try storedFileNames() { try synchronize(url(of: name)) }
        try synchronizeFolder()
    }

    /// Makes the names of new files permanent, after they are written and before the commit: after a crash, a file is
    /// lost without its entry in the folder, and a new folder without its own entry.
    /// - Throws: `ExternalDataError.unsynchronizedFolder`.
    package func synchronizeFolder() throws(ExternalDataError) {
        let support = folder.deletingLastPathComponent()
        do {
            for url in [folder, support, support.deletingLastPathComponent()] {
                let handle = try FileHandle(forReadingFrom: url)
                try handle.synchronize()
                try handle.close()
            }
        } catch {
            throw .unsynchronizedFolder
        }
    }

    /// Removes files that no other store can refer to, such as those of a failed transaction. Skips names that are not UUIDs.
    /// - Returns: The names of files that still exist.
    @discardableResult
    package func remove(_ names: some Sequence<String>) -> [String] {
        names.filter { name in
            guard UUID(uuidString: name) != nil else { return false }
            try? FileManager.default.removeItem(at: url(of: name))
            return FileManager.default.fileExists(atPath: url(of: name).path)
        }
    }

    /// Returns the total size of those files that exist, in bytes.
    func byteCount(of names: some Sequence<String>) -> Int64 { names.reduce(0) { $0 + (size(of: $1) ?? 0) } }

    /// Returns the size in bytes; `nil` if the file does not exist.
    func size(of name: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url(of: name).path)
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    private func url(of name: String) -> URL { folder.appendingPathComponent(name, isDirectory: false) }
}

/// An error while reading or writing external data.
package enum ExternalDataError: Error, Hashable {
    /// The associated value is `nil` for an empty cell.
    case unknownTag(UInt8?)
    case badFileName
    case unreadableFile(String)
    case unwritableFile(String)
    case unsynchronizedFolder
    case unreadableFolder
}

extension ExternalDataError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownTag(let tag):
            "An external value begins with \(tag.map { "the unknown tag \($0)" } ?? "no tag"); the row is damaged."
        case .badFileName: "An external value refers to a file without a proper name; the row is damaged."
        case .unreadableFile(let name):
            "External data file \(name) cannot be read; copy the store together with its hidden _SUPPORT folder."
        case .unwritableFile(let name):
            "External data file \(name) cannot be written; check the space and the permissions beside the store."
        case .unreadableFolder:
            "The folder of external data cannot be listed; check the permissions beside the store."
        case .unsynchronizedFolder:
            "The folder of external data cannot be synchronized with the disk; check the permissions beside the store."
        }
    }
}
