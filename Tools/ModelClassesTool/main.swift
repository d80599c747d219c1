import Foundation
import ModelText

// // model-classes MODEL DESTINATION: generates the Swift classes of a model's current version. The destination is one
// Swift file for all classes, as the build plug-in uses it, or a folder for one file each, named as Xcode names them.
// With --all, also for entities whose classes are written by hand according to the model.

var arguments = Array(CommandLine.arguments.dropFirst())
var selection = ClassGenerator.Selection.settings
if let place = arguments.firstIndex(of: "--all") {
    arguments.remove(at: place)
    selection = .everything
}
guard arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: model-classes [--all] MODEL FILE.swift|FOLDER\n".utf8))
    exit(2)
}
do {
    try ClassFiles(model: URL(fileURLWithPath: arguments[0]), selection).write(to: URL(fileURLWithPath: arguments[1]))
} catch {
    // The compiler's error format, so that editors find the position.
    FileHandle.standardError.write(Data("\(arguments[0]): error: \(error)\n".utf8))
    exit(1)
}
