import Foundation

/// Big values kept in files beside the store. The cell of such an attribute begins with a tag byte: 1, and the value
/// follows; 2, and the name of a file follows, which holds the value.
///
/// Files are written before the transaction that refers to them is committed and removed after the one that no longer
/// does and is on the disk itself: a crash leaves a file too many, never one too few.
package struct ExternalData: Sendable, Hashable {
    /// `.<store name without extension>_SUPPORT/_EXTERNAL_DATA`, beside the store.
    package let folder: URL
    private let storeURL: URL

    /// Values of more bytes than this get a file of their own.
    package static let threshold = 128 << 10

    private static let inlineTag: UInt8 = 1
    private static let fileTag: UInt8 = 2
    /// The tag of cells that name a file, as SQL spells it.
    static let fileTagLiteral = "x'02'"

    package init(storeURL: URL) {
        let storeURL = storeURL.followingLinks
        self.storeURL = storeURL
        let name = storeURL.deletingPathExtension().lastPathComponent
        folder = storeURL.deletingLastPathComponent()
            .appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
            .appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
    }

    /// What a cell holds.
    package enum Content: Sendable, Hashable {
        case inline(Data)
        /// Name of a file in `folder`.
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

    /// Only a UUID names a file: a name with a path in it would reach outside the folder.
    private static func fileName(_ bytes: Data) throws(ExternalDataError) -> String {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        guard UUID(uuidString: text) != nil else { throw .badFileName }
        return text
    }

    /// The value of a cell, read from its file where it has one.
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

    /// The file a cell refers to; `nil` for a value in the cell itself.
    package static func fileName(in cell: Data) -> String? {
        if case .file(let name)? = try? content(of: cell) { name } else { nil }
    }

    /// Names of the files in the folder that can be ours. Empty where there is no folder.
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

    /// Bytes of a cell that may still name a file: the tag, a UUID's text, and room for what ends it.
    static let longestFileCell = 64

    // MARK: Writing

    /// Where a value of so many bytes belongs.
    package static func needsFile(_ value: Data) -> Bool { value.count > threshold }

    /// The cell for a value, whose file is written at once where it needs one.
    /// - Returns: the cell, and the new file's name, to be removed if the transaction fails.
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

    /// The file must be on the disk before the row that refers to it.
    private func synchronize(_ url: URL) throws {
        let file = try FileHandle(forWritingTo: url)
        try file.synchronize()
        try file.close()
    }

    /// Brings all files to the disk, for a copy of them that is to be relied on. Nothing where there is no folder.
    /// - Throws: what opening files throws, `ExternalDataError`.
    package func synchronizeFiles() throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        for name in try storedFileNames() { try synchronize(url(of: name)) }
        try synchronizeFolder()
    }

    /// Makes the names of new files last, after they are written and before the commit: a file on the disk is lost
    /// without its entry in the folder, and the folder, perhaps made just now, without its own.
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

    /// Removes files that no row of this store refers to any more; after the commit. A file stays that another store refers to
    /// whose folder this is too, and where that store cannot be read.
    /// - Returns: the names whose files could not be removed.
    /// - Complexity: With such another store, its tables with data are read.
    @discardableResult
    package func removeUnreferenced(_ names: some Sequence<String>) -> [String] {
        var names = Set(names)
        if names.isEmpty { return [] }
        for neighbour in StoreFiles.neighbours(of: storeURL) {
            guard let referenced = try? FileReferences.all(at: neighbour) else { return [] }
            names.subtract(referenced)
        }
        return remove(names.sorted())
    }

    /// Removes files that no other store can refer to, such as those that a failed transaction made. Names that are not UUIDs
    /// are passed over.
    /// - Returns: the names whose files are still there.
    @discardableResult
    package func remove(_ names: some Sequence<String>) -> [String] {
        names.filter { name in
            guard UUID(uuidString: name) != nil else { return false }
            try? FileManager.default.removeItem(at: url(of: name))
            return FileManager.default.fileExists(atPath: url(of: name).path)
        }
    }

    /// Of the files that are there, in bytes.
    func byteCount(of names: some Sequence<String>) -> Int64 { names.reduce(0) { $0 + (size(of: $1) ?? 0) } }

    /// In bytes; `nil` when there is no such file.
    func size(of name: String) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url(of: name).path)
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    private func url(of name: String) -> URL { folder.appendingPathComponent(name, isDirectory: false) }
}

/// External data that cannot be read or written.
package enum ExternalDataError: Error, Hashable {
    /// `nil` for an empty cell.
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
            "The folder of external data cannot be brought to the disk; check the permissions beside the store."
        }
    }
}
