import Foundation
import ObjectGraph

/// The model a file carries: a deflated archive of the managed object model it was last written with.
package enum ModelCache {
    /// - Parameter content: the cell as the file has it.
    /// - Throws: `ModelCacheError`. Damage never goes unnoticed as a trap; unknown classes are passed over.
    package static func model(from content: Data) throws(ModelCacheError) -> Model {
        try model(of: try archivedModel(content))
    }

    static func model(of archived: ArchivedObject) throws(ModelCacheError) -> Model {
        do {
            return try Model(try descriptions(of: archived), versionIdentifiers: identifiers(of: archived))
        } catch let error as ModelCacheError {
            throw error
        } catch let error as ModelError {
            throw .impossibleModel(error)
        } catch {
            throw .notAModel
        }
    }

    /// The cell of a file; `nil` where there is none.
    package static func content(_ connection: Connection) throws -> Data? {
        typealias Names = SystemTables.ModelCache
        guard try FileTables(connection).table(Names.table) != nil else { return nil }
        return try connection.withStatement("SELECT \(Names.content) FROM \(Names.table) LIMIT 1") { statement in
            try statement.step() ? statement.optionalBytes(at: 0) : nil
        }
    }

    /// The file's own model; `nil` where the file has no cache.
    package static func model(_ connection: Connection) throws -> Model? {
        guard let content = try content(connection), !content.isEmpty else { return nil }
        return try model(from: content)
    }

    static func archivedModel(_ content: Data) throws(ModelCacheError) -> ArchivedObject {
        let archive: Data
        do {
            archive = try Inflate.expand(content)
        } catch {
            throw .notCompressed
        }
        return try archivedModel(uncompressed: archive)
    }

    static func archivedModel(uncompressed archive: Data) throws(ModelCacheError) -> ArchivedObject {
        let propertyList: PropertyList
        do {
            propertyList = try PropertyList(binary: archive)
        } catch {
            throw .notAnArchive(error)
        }
        guard let root = KeyedArchive(propertyList)?.root, root.className == "NSManagedObjectModel" else {
            throw .notAModel
        }
        return root
    }

    private static func identifiers(of model: ArchivedObject) -> [String] {
        (model.elements("NSVersionIdentifiers") ?? []).compactMap { model.archive.string($0) }.sorted()
    }

    /// Entities by name, so that the same model always comes out the same.
    private static func descriptions(of model: ArchivedObject) throws(ModelCacheError) -> [EntityDescription] {
        let objects = model.entries("NSEntities").compactMap { model.archive.object($0.value) }
            .filter { $0.className == "NSEntityDescription" }
        guard objects.count <= ModelUnarchiver.entityLimit else { throw .tooLarge }
        var unarchiver = ModelUnarchiver()
        var descriptions: [EntityDescription] = []
        for object in objects { descriptions.append(try unarchiver.entity(object)) }
        try checkHierarchy(descriptions)
        return descriptions.sorted { $0.name.precedesByBytes($1.name) }
    }

    /// Resolving a model takes time and stack by the depth of its hierarchies.
    private static func checkHierarchy(_ descriptions: [EntityDescription]) throws(ModelCacheError) {
        let parents = Dictionary(
            descriptions.map { ($0.name, $0.superentityName) }, uniquingKeysWith: { first, _ in first })
        for description in descriptions {
            var name = description.superentityName
            var depth = 0
            while let current = name {
                depth += 1
                guard depth <= ModelUnarchiver.hierarchyLimit else { throw .tooLarge }
                name = parents[current] ?? nil
            }
        }
    }
}

/// A model cache that cannot be read. The file's rows may still be fine: open it with the app's own model.
package enum ModelCacheError: Error, Hashable {
    case notCompressed
    case notAnArchive(PropertyListError)
    case notAModel
    case missingField(className: String, field: String)
    /// A name that cannot name a table or column.
    case unusableName(String)
    case unknownAttributeType(entity: String, attribute: String, number: Int64)
    case tooLarge
    case impossibleModel(ModelError)
}

extension ModelCacheError: CustomStringConvertible {
    package var description: String {
        "The file's own model cannot be read: \(reason) Open the file with the app's model instead."
    }

    /// Without what to change in the model, which is no advice to the owner of a file.
    private static func fact(_ error: ModelError) -> String {
        let fact = error.description.prefix { $0 != ";" }
        return fact.hasSuffix(".") ? String(fact) : fact + "."
    }

    private var reason: String {
        switch self {
        case .notCompressed: "its bytes cannot be decompressed."
        case .notAnArchive(let error): error.description
        case .notAModel: "its archive holds no managed object model."
        case .missingField(let className, let field): "an archived \(className) lacks \(field)."
        case .unusableName(let name): "'\(name)' cannot name an entity or property."
        case .unknownAttributeType(let entity, let attribute, let number):
            "'\(entity).\(attribute)' has the unknown type \(number)."
        case .tooLarge: "it is larger than any real model."
        case .impossibleModel(let error): Self.fact(error)
        }
    }
}
