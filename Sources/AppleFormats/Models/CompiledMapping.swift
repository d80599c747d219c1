import Foundation

/// A mapping model compiled by Xcode (`.cdm`): a keyed archive.
package struct CompiledMapping: Hashable, Sendable {
    /// The entity mappings in the order in which they run.
    package let entities: [Entity]

    package struct Entity: Hashable, Sendable {
        package let name: String
        /// The raw value of an `NSEntityMappingType`.
        package let type: Int64
        package let sourceName: String?
        package let sourceHash: Data?
        package let destinationName: String?
        package let destinationHash: Data?
        /// In the predicate format, like the expressions of properties.
        package let sourceExpression: String?
        package let policyClassName: String?
        package let attributes: [Property]
        package let relationships: [Property]
        package let userInfo: [String: PropertyList]
    }

    package struct Property: Hashable, Sendable {
        package let name: String
        package let expression: String?
        package let userInfo: [String: PropertyList]
    }

    /// More than any real mapping model has.
    private static let entityLimit = 4096
    private static let propertyLimit = 100_000

    /// - Throws: `CompiledMappingError`.
    package init(cdm: Data) throws(CompiledMappingError) {
        let propertyList: PropertyList
        do throws(PropertyListError) {
            propertyList = try PropertyList(binary: cdm)
        } catch {
            throw .unreadable(error)
        }
        guard let root = KeyedArchive(propertyList)?.root, root.className == "NSMappingModel",
            let references = root.elements("NSEntityMappings")
        else { throw .notAMapping }
        guard references.count <= Self.entityLimit else { throw .tooLarge }
        var reader = CompiledMappingReader(propertyLimit: Self.propertyLimit)
        var entities: [Entity] = []
        for reference in references {
            guard let archived = root.archive.object(reference) else { throw .damaged(className: "NSEntityMapping") }
            entities.append(try reader.entity(archived))
        }
        self.entities = entities
    }
}

private struct CompiledMappingReader {
    private let budget: TextBudget
    private let notes: ArchivedNotes
    private var rest: Int

    init(propertyLimit: Int) {
        budget = TextBudget()
        notes = ArchivedNotes(budget)
        rest = propertyLimit
    }

    mutating func entity(_ archived: ArchivedObject) throws(CompiledMappingError) -> CompiledMapping.Entity {
        guard let name = archived.string("NSMappingName") else { throw .damaged(className: archived.className) }
        return CompiledMapping.Entity(
            name: name, type: archived.integer("NSMappingType") ?? 0,
            sourceName: archived.string("NSSourceEntityName"),
            sourceHash: archived.value("NSSourceEntityVersionHash")?.dataValue,
            destinationName: archived.string("NSDestinationEntityName"),
            destinationHash: archived.value("NSDestinationEntityVersionHash")?.dataValue,
            sourceExpression: expression(archived, "NSSourceExpression"),
            policyClassName: archived.string("NSEntityMigrationPolicyClassName"),
            attributes: try properties(archived, "NSAttributeMappings"),
            relationships: try properties(archived, "NSRelationshipMappings"),
            userInfo: notes.userInfo(of: archived))
    }

    private mutating func properties(
        _ archived: ArchivedObject, _ key: String
    ) throws(CompiledMappingError) -> [CompiledMapping.Property] {
        var properties: [CompiledMapping.Property] = []
        for property in archived.objects(key) {
            rest -= 1
            guard rest >= 0 else { throw .tooLarge }
            guard let name = property.string("NSDestinationPropertyName") else {
                throw .damaged(className: property.className)
            }
            properties.append(
                CompiledMapping.Property(
                    name: name, expression: expression(property, "NSValueExpression"),
                    userInfo: notes.userInfo(of: property)))
        }
        return properties
    }

    private func expression(_ archived: ArchivedObject, _ key: String) -> String? {
        archived.object(key).map { PredicateText.text(ofExpression: $0, budget) }
    }
}

/// An error for bytes that are not a compiled mapping model.
package enum CompiledMappingError: Error, Hashable {
    case unreadable(PropertyListError)
    case notAMapping
    /// An object has no name.
    case damaged(className: String)
    case tooLarge
}

extension CompiledMappingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let error): "The archive cannot be read: \(error.description)"
        case .notAMapping: "The archive has no mapping model."
        case .damaged(let className): "The archive is damaged: it has a \(className) without a name."
        case .tooLarge: "The archive has more in it than any real mapping model."
        }
    }
}
