import AppleFormats
import ArgumentParser
import Foundation
import ModelText
import SQLiteStore
import StoreInspection

/// The app's model, for files without a model, or with a model that cannot be used.
struct ModelArgument: ParsableArguments {
    @Option(
        name: .customLong("model"),
        help: ArgumentHelp(
            "Use this model of the app (.momd, .mom, .xcdatamodeld, .xcdatamodel) instead of the one in the file.",
            valueName: "path"),
        completion: .file())
    var path: String?

    /// - Returns: `nil` if no model is given.
    /// - Throws: `InspectionError` if the path cannot be read as a model.
    func versions() throws -> ModelVersions? { try path.map { try ModelFiles.versions(at: URL(fileURLWithPath: $0)) } }
}

/// Model files: compiled ones, and those of Xcode's editor.
enum ModelFiles {
    private static let compiledPackage = "momd"
    private static let compiledFile = "mom"
    private static let textEndings = ["xcdatamodeld", "xcdatamodel"]
    private static let versionsFile = "VersionInfo.plist"
    private static let currentVersionKey = "NSManagedObjectModel_CurrentVersionName"

    /// Whether a path names a model rather than a store.
    static func isModel(_ url: URL) -> Bool {
        ([compiledPackage, compiledFile] + textEndings).contains(url.pathExtension)
    }

    /// - Throws: `InspectionError`.
    static func versions(at url: URL) throws -> ModelVersions {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw InspectionError.badInput("There is no model at \(url.path).")
        }
        guard isModel(url) else {
            throw InspectionError.badInput(
                "\(url.path) is no model: its name ends in none of .momd, .mom, .xcdatamodeld and .xcdatamodel.")
        }
        do {
            switch url.pathExtension {
            case compiledPackage: return try compiled(package: url)
            case compiledFile:
                let version = try compiled(file: url)
                return ModelVersions(name: url.path, versions: [version], currentVersion: version.name)
            default: return try document(url)
            }
        } catch let error as InspectionError {
            throw error
        } catch {
            throw InspectionError.badInput("The model at \(url.path) cannot be read: \(error)")
        }
    }

    private static func compiled(file url: URL) throws -> ModelVersions.Version {
        ModelVersions.Version(
            name: url.deletingPathExtension().lastPathComponent,
            model: try CompiledModel(mom: Data(contentsOf: url)).model)
    }

    private static func compiled(package url: URL) throws -> ModelVersions {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        let versions = try names.filter { $0.hasSuffix("." + compiledFile) }.map {
            try compiled(file: url.appendingPathComponent($0))
        }
        guard let first = versions.first else { throw DocumentError.noVersions }
        return ModelVersions(
            name: url.path, versions: versions, currentVersion: currentVersion(in: url) ?? first.name)
    }

    /// Reads the list of versions, which may be a binary or an XML property list.
    private static func currentVersion(in url: URL) -> String? {
        guard let data = try? Data(contentsOf: url.appendingPathComponent(versionsFile)),
            let content = try? PropertyListSerialization.propertyList(from: data, format: nil)
        else { return nil }
        return (content as? [String: Any])?[currentVersionKey] as? String
    }

    private static func document(_ url: URL) throws -> ModelVersions {
        let package = try DocumentPackage(contentsOf: url)
        let versions = try package.versions.sorted { $0.key < $1.key }.map {
            ModelVersions.Version(name: $0.key, model: try $0.value.engineModel())
        }
        return ModelVersions(name: url.path, versions: versions, currentVersion: package.currentVersion)
    }
}
