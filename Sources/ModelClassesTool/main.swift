import Foundation
import ModelText

// model-classes MODEL DESTINATION: makes the Swift classes of a model's current version. The destination is one Swift
// file for all of them, as the build plug-in wants it, or a folder for a file each, named as Xcode names them.
// With --all, also for entities whose classes the model says are written by hand.

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
    // As compilers write errors, so that editors find the place.
    FileHandle.standardError.write(Data("\(arguments[0]): error: \(error)\n".utf8))
    exit(1)
}
