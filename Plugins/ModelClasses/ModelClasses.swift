import Foundation
import PackagePlugin

/// Generates the Swift classes of a target's Core Data models (`.xcdatamodeld`) before the target is compiled. Each
/// model gets one file, as its classes are unknown until the model is read.
@main
struct ModelClasses: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let tool = try context.tool(named: "model-classes")
        let models = files(in: target.directoryURL) { $0.pathExtension == "xcdatamodeld" }
        if let problem = equalNames(among: models, of: target) {
            Diagnostics.error(problem)
            return []
        }
        warnOfManagedAttributes(in: target)
        return models.map { model in
            let name = name(of: model)
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name)+CoreDataModel.swift")
            let inputs = files(in: model) { ["contents", ".xccurrentversion"].contains($0.lastPathComponent) }
            return .buildCommand(
                displayName: "Classes of \(name)", executable: tool.url, arguments: [model.path, output.path],
                inputFiles: inputs, outputFiles: [output])
        }
    }

    private func warnOfManagedAttributes(in target: any Target) {
        #if !canImport(ObjectiveC)
        for file in files(in: target.directoryURL, { $0.pathExtension == "swift" }) {
            guard let source = try? String(contentsOf: file, encoding: .utf8),
                let attribute = UnlinkableAttribute(firstIn: source)
            else { continue }
            Diagnostics.emit(.warning, UnlinkableAttribute.warning, file: file.path, line: attribute.line)
        }
        #endif
    }

    private func name(of model: URL) -> String { model.deletingPathExtension().lastPathComponent }

    /// The error message for two models with the same name, whose classes would be written to the same file; `nil` if
    /// there are none.
    private func equalNames(among models: [URL], of target: any Target) -> String? {
        var known: [String: URL] = [:]
        for model in models {
            guard let other = known.updateValue(model, forKey: name(of: model)) else { continue }
            return
                "Target '\(target.name)' has two models of one name, '\(other.path)' and '\(model.path)'; rename one, or move "
                + "it to another target."
        }
        return nil
    }

    private func files(in folder: URL, _ isWanted: (URL) -> Bool) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter(isWanted).sorted { $0.path < $1.path }
    }
}
