import Foundation
import Mustache

/// The page templates, read once at launch.
struct Templates: Sendable {
    private let library: MustacheLibrary

    init() throws {
        MustacheContentTypes.register(PageText(), named: "PAGE")
        guard let folder = Bundle.module.url(forResource: "templates", withExtension: nil) else {
            throw ResourceProblem.missingFolder("templates")
        }
        var library = MustacheLibrary()
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            guard file.pathExtension == "mustache" else { continue }
            // Each template declares how text is escaped, as partials do not inherit it.
            let text = "{{% CONTENT_TYPE:PAGE}}\n" + (try String(contentsOf: file, encoding: .utf8))
            try library.register(text, named: file.deletingPathExtension().lastPathComponent)
        }
        self.library = library
    }

    func page(_ page: Page) -> String {
        library.render(page, withTemplate: "page") ?? ""
    }

    func problem(_ problem: ProblemView) -> String {
        library.render(problem, withTemplate: "problem") ?? ""
    }
}

enum ResourceProblem: Error, CustomStringConvertible {
    case missingFolder(String)

    var description: String {
        switch self {
        case .missingFolder(let name):
            "The folder '\(name)' is missing beside the executable; build the package again, or install it whole."
        }
    }
}
