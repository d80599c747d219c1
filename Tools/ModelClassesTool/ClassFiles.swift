import Foundation
import ModelText

/// The files generated from one model.
struct ClassFiles {
    let files: [GeneratedFile]

    init(model url: URL, _ selection: ClassGenerator.Selection) throws {
        let package = try DocumentPackage(contentsOf: url)
        guard let model = package.currentModel else { throw DocumentError.noVersions }
        files = ClassGenerator(model).files(selection)
    }

    func write(to destination: URL) throws {
        if destination.pathExtension == "swift" {
            try Data(files.map(\.text).joined(separator: "\n").utf8).write(to: destination)
            return
        }
        try FileManager.default.createDirectory(at: destination, withIntermediateDirectories: true)
        for file in files {
            try Data(file.text.utf8).write(to: destination.appendingPathComponent(file.name))
        }
    }
}
