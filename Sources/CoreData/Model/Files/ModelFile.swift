import AppleFormats
import Foundation
import ModelText

/// The versions of a model on disk, in whatever form it is there: compiled (`.momd`, `.mom`) or as Xcode's files
/// (`.xcdatamodeld`, `.xcdatamodel`). Packages of Swift copy the latter as they are where no compiler of models is.
struct ModelFile {
    /// By name, without the ending.
    let versions: [String: NSManagedObjectModel]
    let currentVersion: String

    static let compiledExtensions = ["momd", "mom"]
    static let textExtensions = ["xcdatamodeld", "xcdatamodel"]
    private static let versionsFile = "VersionInfo.plist"
    private static let currentVersionKey = "NSManagedObjectModel_CurrentVersionName"

    var currentModel: NSManagedObjectModel? { versions[currentVersion] }

    /// - Throws: `DocumentError`, `ArchivedModelError`, `ManagedObjectModelError`, what the file system reports.
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

    /// The list of versions may be in either form of property lists.
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

    /// The program's bundle, and those with the resources of the targets it is made of.
    static var programBundles: [Bundle] { [.main] + bundles(in: Bundle.main.bundleURL) }

    /// Packages of Swift keep a target's resources in a folder beside the program.
    static func bundles(in folder: URL) -> [Bundle] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".resources") }.sorted().compactMap {
            Bundle(url: folder.appendingPathComponent($0))
        }
    }

    /// The model of that name among the resources of the bundles; the first that there is.
    static func model(named name: String, in bundles: [Bundle]) -> NSManagedObjectModel? {
        let url = bundles.lazy.flatMap(urls).first { $0.deletingPathExtension().lastPathComponent == name }
        return url.flatMap { NSManagedObjectModel(contentsOf: $0) }
    }

    /// Models among a bundle's resources; where one is there in several forms, the compiled one counts.
    static func urls(in bundle: Bundle) -> [URL] {
        bundle.resourceURL.map { urls(inFolder: $0) } ?? []
    }

    /// As above, of any folder.
    static func urls(inFolder folder: URL) -> [URL] {
        resources(inFolder: folder, endings: compiledExtensions + textExtensions)
    }

    /// What has one of the endings; where something is there with several, the first ending counts.
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
