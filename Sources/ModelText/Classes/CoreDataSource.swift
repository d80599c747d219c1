import Foundation
import ObjectGraph

/// A model as Xcode's source files for Core Data.
package enum CoreDataSource {
    /// All classes as one text, each file below its name.
    package static func classes(_ model: Model) -> String {
        files(model).map { "// MARK: - \($0.name)\n\n\($0.text)" }.joined(separator: "\n")
    }

    /// The classes, in one or two files for each.
    package static func files(_ model: Model) -> [GeneratedFile] {
        ClassGenerator(DocumentModel(model)).files(.everything)
    }

    /// Writes an `.xcdatamodel`, or an `.xcdatamodeld` that contains one.
    /// - Throws: errors of the file system.
    package static func writeDocument(_ model: Model, to url: URL) throws {
        let name = url.deletingPathExtension().lastPathComponent + "." + DocumentPackage.versionExtension
        let isPackage = url.pathExtension == DocumentPackage.packageExtension
        try DocumentModel(model).write(to: isPackage ? url.appendingPathComponent(name) : url)
    }

    /// Whether the path has an extension that `writeDocument` supports.
    package static func isDocument(_ url: URL) -> Bool {
        [DocumentPackage.packageExtension, DocumentPackage.versionExtension].contains(url.pathExtension)
    }

    /// The text of the `contents` file of an `.xcdatamodel`.
    package static func xml(_ model: Model) -> String { DocumentModel(model).xml }
}
