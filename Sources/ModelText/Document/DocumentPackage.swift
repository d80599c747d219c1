import Foundation

/// The versions of a model (`.xcdatamodeld`), or the single one of an `.xcdatamodel`.
package struct DocumentPackage: Hashable, Sendable {
    /// Models by version name, without the extension.
    package var versions: [String: DocumentModel]
    package var currentVersion: String

    package static let packageExtension = "xcdatamodeld"
    package static let versionExtension = "xcdatamodel"
    fileprivate static let contentsName = "contents"
    private static let currentVersionFile = ".xccurrentversion"
    private static let currentVersionKey = "_XCCurrentVersionName"

    package init(versions: [String: DocumentModel], currentVersion: String) {
        self.versions = versions
        self.currentVersion = currentVersion
    }

    package var currentModel: DocumentModel? { versions[currentVersion] }

    /// - Parameter url: an `.xcdatamodeld`, an `.xcdatamodel`, or the `contents` file of one.
    /// - Throws: `DocumentError`.
    package init(contentsOf url: URL) throws(DocumentError) {
        if url.pathExtension == Self.packageExtension {
            try self.init(package: url)
        } else {
            let name = url.lastPathComponent == Self.contentsName ? url.deletingLastPathComponent() : url
            let title = name.deletingPathExtension().lastPathComponent
            self.init(versions: [title: try Self.version(at: url)], currentVersion: title)
        }
    }

    private init(package url: URL) throws(DocumentError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw .unreadable(url.lastPathComponent)
        }
        var versions: [String: DocumentModel] = [:]
        for name in names.sorted() where name.hasSuffix("." + Self.versionExtension) {
            let version = url.appendingPathComponent(name)
            versions[version.deletingPathExtension().lastPathComponent] = try Self.version(at: version)
        }
        guard let first = versions.keys.min() else { throw .noVersions }
        let current = Self.currentVersionName(in: url)
        if let current, versions[current] == nil { throw .missingVersion(current) }
        self.init(versions: versions, currentVersion: current ?? first)
    }

    /// `nil` if the file is missing, as it may be for a model with one version.
    private static func currentVersionName(in url: URL) -> String? {
        guard let data = try? Data(contentsOf: url.appendingPathComponent(currentVersionFile)),
            let content = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let name = (content as? [String: Any])?[currentVersionKey] as? String
        else { return nil }
        let ending = "." + versionExtension
        return name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
    }

    private static func version(at url: URL) throws(DocumentError) -> DocumentModel {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw .unreadable(url.lastPathComponent)
        }
        let contents = isFolder.boolValue ? url.appendingPathComponent(contentsName) : url
        guard let data = try? Data(contentsOf: contents) else { throw .unreadable(url.lastPathComponent) }
        return try DocumentModel(xml: data)
    }
}

extension DocumentModel {
    /// Writes an `.xcdatamodel`.
    /// - Throws: errors of the file system.
    package func write(to url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(xml.utf8).write(to: url.appendingPathComponent(DocumentPackage.contentsName))
    }
}
