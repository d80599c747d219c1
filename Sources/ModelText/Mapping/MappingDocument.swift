import Foundation

/// A mapping model as Xcode writes it (`.xcmappingmodel`): what its author chose. What follows from the two models is not in
/// the file.
package struct MappingDocument: Hashable, Sendable {
    package var source: ModelPath?
    package var destination: ModelPath?
    /// In the order in which they are run.
    package var entities: [Entity] = []

    package init() {}

    /// Where the author's project has a version of a model.
    package struct ModelPath: Hashable, Sendable {
        /// Name of the package of versions, without the ending; that of the version where there is no package.
        package var model: String
        package var version: String
    }

    package struct Entity: Hashable, Sendable {
        /// `nil` for the one that follows from the entities' names.
        package var name: String?
        /// `nil` where the file leaves it to the models.
        package var type: Kind?
        package var sourceName: String?
        package var destinationName: String?
        package var policyClassName: String?
        /// In the predicate format.
        package var filter: String?
        /// An archive, where the author wrote an expression.
        package var sourceExpression: Data?
        package var attributes: [Property] = []
        package var relationships: [Property] = []
        /// An archive.
        package var userInfo: Data?
    }

    package enum Kind: String, Hashable, Sendable {
        case custom = "Custom"
        case add = "Add"
        case remove = "Remove"
        case copy = "Copy"
        case transform = "Transform"
    }

    /// A property of the destination.
    package struct Property: Hashable, Sendable {
        package var name: String
        /// An archive, where the author wrote an expression.
        package var expression: Data?
        /// From `$source`, with that in front or without.
        package var sourceKeyPath: String?
        /// The mapping whose objects a relationship leads to.
        package var mappingName: String?
        /// Whether the value follows from the models where nothing else is said.
        package var isDerived = true
        /// An archive.
        package var userInfo: Data?
    }

    package static let packageExtension = "xcmappingmodel"
    package static let contentsName = "xcmapping.xml"

    /// - Parameter url: an `.xcmappingmodel`, or the `xcmapping.xml` of one.
    /// - Throws: `MappingDocumentError`.
    package init(contentsOf url: URL) throws(MappingDocumentError) {
        let isContents = url.lastPathComponent == Self.contentsName
        let file = isContents ? url : url.appendingPathComponent(Self.contentsName)
        guard let data = try? Data(contentsOf: file) else { throw .unreadable(url.lastPathComponent) }
        try self.init(xml: data)
    }
}

/// A file that is no mapping model, with the place to look at.
package enum MappingDocumentError: Error, Hashable {
    case markup(MarkupError)
    /// It has the wrong outermost element, or no mapping model in it.
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
