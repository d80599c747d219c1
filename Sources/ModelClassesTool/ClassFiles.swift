import Foundation
import ModelText

/// The files made from one model.
struct ClassFiles {
    let files: [GeneratedFile]

    init(model url: URL, _ selection: ClassGenerator.Selection) throws {
        let package = try DocumentPackage(contentsOf: url)
        guard let model = package.currentModel else { throw DocumentError.noVersions }
        files = ClassGenerator(model).files(selection)
    }

    /// Files that have not changed are left alone, and what else is in the folder is removed: it was made from an older
    /// model.
    func write(to folder: URL) throws {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = Set(files.map(\.name))
        for name in try manager.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".swift") && !names.contains(name) {
            try manager.removeItem(at: folder.appendingPathComponent(name))
        }
        for file in files {
            let url = folder.appendingPathComponent(file.name)
            let text = Data(file.text.utf8)
            if (try? Data(contentsOf: url)) != text { try text.write(to: url) }
        }
    }
}
