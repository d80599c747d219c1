import Foundation
import ModelText

// model-classes MODEL FOLDER: writes the Swift classes of a model's current version into a folder, and there a file
// that names them. The build plug-in runs it; so can a person, with --all for entities whose classes are written by hand.

var arguments = Array(CommandLine.arguments.dropFirst())
let selection: ClassGenerator.Selection
if let place = arguments.firstIndex(of: "--all") {
    arguments.remove(at: place)
    selection = .everything
} else {
    selection = .settings
}
guard arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: model-classes [--all] MODEL FOLDER\n".utf8))
    exit(2)
}
do {
    try ClassFiles(model: URL(fileURLWithPath: arguments[0]), selection).write(to: URL(fileURLWithPath: arguments[1]))
} catch {
    // As compilers write errors, so that editors find the place.
    FileHandle.standardError.write(Data("\(arguments[0]): error: \(error)\n".utf8))
    exit(1)
}
