import Foundation
import ObjectGraph

/// A model in the forms Xcode has for Core Data.
package enum CoreDataSource {
    /// All classes in one text, each file under its name.
    package static func classes(_ model: Model) -> String {
        files(model).map { "// MARK: - \($0.name)\n\n\($0.text)" }.joined(separator: "\n")
    }

    /// The classes, a file or two for each.
    package static func files(_ model: Model) -> [GeneratedFile] {
        ClassGenerator(DocumentModel(model)).files(.everything)
    }

    /// Makes an `.xcdatamodel`, or an `.xcdatamodeld` with one in it.
    /// - Throws: what the file system reports.
    package static func writeDocument(_ model: Model, to url: URL) throws {
        let name = url.deletingPathExtension().lastPathComponent + "." + DocumentPackage.versionExtension
        let isPackage = url.pathExtension == DocumentPackage.packageExtension
        try DocumentModel(model).write(to: isPackage ? url.appendingPathComponent(name) : url)
    }

    /// Whether a path is that of a document that `writeDocument` makes.
    package static func isDocument(_ url: URL) -> Bool {
        [DocumentPackage.packageExtension, DocumentPackage.versionExtension].contains(url.pathExtension)
    }

    /// What the file `contents` of an `.xcdatamodel` has.
    package static func xml(_ model: Model) -> String { DocumentModel(model).xml }
}
