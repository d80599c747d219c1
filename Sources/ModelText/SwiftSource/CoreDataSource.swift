import ObjectGraph

/// A model in the forms Xcode has for Core Data.
package enum CoreDataSource {
    /// All classes in one text, each file under its name.
    package static func classes(_ model: Model) -> String {
        ClassGenerator(DocumentModel(model)).files(.everything).map { file in
            "// MARK: - \(file.name)\n\n\(file.text)"
        }.joined(separator: "\n")
    }

    /// What the file `contents` of an `.xcdatamodel` has.
    package static func xml(_ model: Model) -> String { DocumentModel(model).xml }
}
