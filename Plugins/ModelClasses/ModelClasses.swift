import Foundation
import PackagePlugin

/// Makes the Swift classes of the Core Data models (`.xcdatamodeld`) among a target's files before the target is
/// compiled.
///
/// Which classes a model has is known only when it is read, so the tool runs before each build, not as a step with known
/// results; files that stay the same are not written again.
@main
struct ModelClasses: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let tool = try context.tool(named: "model-classes")
        return models(in: target.directoryURL).map { model in
            let name = model.deletingPathExtension().lastPathComponent
            let folder = context.pluginWorkDirectoryURL.appending(path: name)
            return .prebuildCommand(
                displayName: "Classes of \(name)", executable: tool.url, arguments: [model.path, folder.path],
                outputFilesDirectory: folder)
        }
    }

    private func models(in folder: URL) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "xcdatamodeld" }
            .sorted { $0.path < $1.path }
    }
}
