import Foundation

/// A mapping model as Xcode writes it (`.xcmappingmodel`). It contains only the author's choices, not the parts derived
/// from the two models.
package struct MappingDocument: Hashable, Sendable {
    package var source: ModelPath?
    package var destination: ModelPath?
    /// In execution order.
    package var entities: [Entity] = []

    package init() {}

    /// The path of a model version in the author's project.
    package struct ModelPath: Hashable, Sendable {
        /// The name of the `.xcdatamodeld` package without its extension, or of the version if there is no package.
        package var model: String
        package var version: String
    }

    package struct Entity: Hashable, Sendable {
        /// `nil` for the default name, which is derived from the entities' names.
        package var name: String?
        /// `nil` if the type is derived from the models.
        package var type: Kind?
        package var sourceName: String?
        package var destinationName: String?
        package var policyClassName: String?
        /// A predicate in the format language.
        package var filter: String?
        /// An archived expression, if the author wrote one.
        package var sourceExpression: Data?
        package var attributes: [Property] = []
        package var relationships: [Property] = []
        /// An archived dictionary.
        package var userInfo: Data?
    }

    package enum Kind: String, Hashable, Sendable {
        case custom = "Custom"
        case add = "Add"
        case remove = "Remove"
        case copy = "Copy"
        case transform = "Transform"
    }

    /// The mapping of a property of the destination entity.
    package struct Property: Hashable, Sendable {
        package var name: String
        /// An archived expression, if the author wrote one.
        package var expression: Data?
        /// A key path from `$source`, with or without this prefix.
        package var sourceKeyPath: String?
        /// The mapping that creates the destination objects of a relationship.
        package var mappingName: String?
        /// Whether the value is derived from the models if nothing else is specified.
        package var isDerived = true
        /// An archived dictionary.
        package var userInfo: Data?
    }

    package static let packageExtension = "xcmappingmodel"
    package static let contentsName = "xcmapping.xml"

    /// - Parameter url: an `.xcmappingmodel`, or its `xcmapping.xml`.
    /// - Throws: `MappingDocumentError`.
    package init(contentsOf url: URL) throws(MappingDocumentError) {
        let isContents = url.lastPathComponent == Self.contentsName
        let file = isContents ? url : url.appendingPathComponent(Self.contentsName)
        guard let data = try? Data(contentsOf: file) else { throw .unreadable(url.lastPathComponent) }
        try self.init(xml: data)
    }
}

/// Why a file is no mapping model, with the position of the problem.
package enum MappingDocumentError: Error, Hashable {
    case markup(MarkupError)
    /// The root element is wrong, or the file contains no mapping model.
    case notAMapping
    case missingName(type: String, line: Int)
    case tooLarge
    case unreadable(String)
}

extension MappingDocumentError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .markup(let error): error.description
        case .notAMapping: "The file has no mapping model in it."
        case .missingName(let type, let line): "The \(type) in line \(line) has no name."
        case .tooLarge: "The file has more in it than any real mapping model."
        case .unreadable(let name): "'\(name)' cannot be read."
        }
    }
}
