import Foundation
import PackagePlugin

/// Makes the Swift classes of the Core Data models (`.xcdatamodeld`) among a target's files before the target is
/// compiled: one file per model, as which classes a model has is not known until it is read.
@main
struct ModelClasses: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let tool = try context.tool(named: "model-classes")
        return files(in: target.directoryURL) { $0.pathExtension == "xcdatamodeld" }.map { model in
            let name = model.deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name)+CoreDataModel.swift")
            let inputs = files(in: model) { ["contents", ".xccurrentversion"].contains($0.lastPathComponent) }
            return .buildCommand(
                displayName: "Classes of \(name)", executable: tool.url, arguments: [model.path, output.path],
                inputFiles: inputs, outputFiles: [output])
        }
    }

    private func files(in folder: URL, _ isWanted: (URL) -> Bool) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter(isWanted).sorted { $0.path < $1.path }
    }
}
