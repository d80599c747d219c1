import AppleFormats
import Foundation
import ModelText

/// The versions of a model on disk: compiled (`.momd`, `.mom`) or as Xcode's files (`.xcdatamodeld`, `.xcdatamodel`). Swift
/// packages copy the latter unchanged where there is no model compiler.
struct ModelFile {
    /// The versions by name, without the extension.
    let versions: [String: NSManagedObjectModel]
    let currentVersion: String

    static let compiledExtensions = ["momd", "mom"]
    static let textExtensions = ["xcdatamodeld", "xcdatamodel"]
    private static let versionsFile = "VersionInfo.plist"
    private static let currentVersionKey = "NSManagedObjectModel_CurrentVersionName"

    var currentModel: NSManagedObjectModel? { versions[currentVersion] }

    /// - Throws: `DocumentError`, `ArchivedModelError`, `ManagedObjectModelError`, errors of the file system.
    init(contentsOf url: URL) throws {
        switch url.pathExtension {
        case "momd": try self.init(compiledPackage: url)
        case "mom": try self.init(compiledFile: url)
        default: try self.init(document: url)
        }
    }

    private init(compiledFile url: URL) throws {
        let name = url.deletingPathExtension().lastPathComponent
        versions = [name: try Self.model(mom: url)]
        currentVersion = name
    }

    private init(compiledPackage url: URL) throws {
        var versions: [String: NSManagedObjectModel] = [:]
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        for name in names where name.hasSuffix(".mom") {
            let file = url.appendingPathComponent(name)
            versions[file.deletingPathExtension().lastPathComponent] = try Self.model(mom: file)
        }
        guard let first = versions.keys.min() else { throw DocumentError.noVersions }
        let current = Self.currentVersion(in: url) ?? first
        guard versions[current] != nil else { throw DocumentError.missingVersion(current) }
        self.versions = versions
        currentVersion = current
    }

    private static func model(mom url: URL) throws -> NSManagedObjectModel {
        NSManagedObjectModel(try CompiledModel(mom: Data(contentsOf: url)), module: ClassNames(modelAt: url))
    }

    /// The list of versions may be a property list of either format.
    private static func currentVersion(in url: URL) -> String? {
        guard let data = try? Data(contentsOf: url.appendingPathComponent(versionsFile)) else { return nil }
        if let list = try? PropertyList(binary: data) {
            return list.dictionaryValue?[currentVersionKey]?.stringValue
        }
        let content = try? PropertyListSerialization.propertyList(from: data, format: nil)
        return (content as? [String: Any])?[currentVersionKey] as? String
    }

    private init(document url: URL) throws {
        let package = try DocumentPackage(contentsOf: url)
        let module = ClassNames(modelAt: url)
        versions = package.versions.mapValues { NSManagedObjectModel($0, module: module) }
        currentVersion = package.currentVersion
    }

    // MARK: Bundles

    /// The program's bundle, and those with the resources of its targets.
    static var programBundles: [Bundle] { [.main] + bundles(in: Bundle.main.bundleURL) }

    /// Swift packages keep a target's resources in a folder beside the program.
    static func bundles(in folder: URL) -> [Bundle] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".resources") }.sorted().compactMap {
            Bundle(url: folder.appendingPathComponent($0))
        }
    }

    /// The first model with the name among the resources of the bundles.
    static func model(named name: String, in bundles: [Bundle]) -> NSManagedObjectModel? {
        let url = bundles.lazy.flatMap(urls).first { $0.deletingPathExtension().lastPathComponent == name }
        return url.flatMap { NSManagedObjectModel(contentsOf: $0) }
    }

    /// The models among a bundle's resources; of several forms of one model, the compiled one counts.
    static func urls(in bundle: Bundle) -> [URL] {
        bundle.resourceURL.map { urls(inFolder: $0) } ?? []
    }

    /// The models in a folder; of several forms of one model, the compiled one counts.
    static func urls(inFolder folder: URL) -> [URL] {
        resources(inFolder: folder, endings: compiledExtensions + textExtensions)
    }

    /// The files with one of the extensions; of files with the same name, the one with the first extension counts.
    static func resources(inFolder folder: URL, endings: [String]) -> [URL] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return [] }
        var found: [String: URL] = [:]
        for ending in endings {
            for name in names.sorted() where name.hasSuffix("." + ending) {
                let title = String(name.dropLast(ending.count + 1))
                if found[title] == nil { found[title] = folder.appendingPathComponent(name) }
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}
