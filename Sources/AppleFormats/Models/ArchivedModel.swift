import Foundation
import ObjectGraph

/// A managed object model in a keyed archive: uncompressed in compiled model files, deflated in stores.
package enum ArchivedModel {
    /// - Parameter content: The deflated archive from a store's cell.
    /// - Throws: `ArchivedModelError`. Damaged input never traps; unknown classes are skipped.
    package static func model(deflated content: Data) throws(ArchivedModelError) -> Model {
        try model(of: try archived(deflated: content))
    }

    /// Returns the deflated archive of a model for a store's cell; `nil` for a model that cannot be archived exactly.
    package static func deflated(_ model: Model) throws(DeflateError) -> Data? {
        guard let archive = ModelArchiver.archive(model) else { return nil }
        return try Deflate.compress(archive.binary)
    }

    static func model(of archived: ArchivedObject) throws(ArchivedModelError) -> Model {
        do {
            return try Model(try descriptions(of: archived), versionIdentifiers: identifiers(of: archived))
        } catch let error as ArchivedModelError {
            throw error
        } catch let error as ModelError {
            throw .impossibleModel(error)
        } catch {
            throw .notAModel
        }
    }

    static func archived(deflated content: Data) throws(ArchivedModelError) -> ArchivedObject {
        let archive: Data
        do {
            archive = try Inflate.expand(content)
        } catch {
            throw .notCompressed
        }
        return try archived(archive)
    }

    static func archived(_ archive: Data) throws(ArchivedModelError) -> ArchivedObject {
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

    /// Returns the entities by name, so that equal models give equal results.
    private static func descriptions(of model: ArchivedObject) throws(ArchivedModelError) -> [EntityDescription] {
        let objects = model.entries("NSEntities").compactMap { model.archive.object($0.value) }
            .filter { $0.className == "NSEntityDescription" }
        guard objects.count <= ModelUnarchiver.entityLimit else { throw .tooLarge }
        var unarchiver = ModelUnarchiver()
        var descriptions: [EntityDescription] = []
        for object in objects { descriptions.append(try unarchiver.entity(object)) }
        try checkHierarchy(descriptions)
        return descriptions.sorted { $0.name.precedesByBytes($1.name) }
    }

    /// Checks the depth of hierarchies, because resolving a model takes time and stack space proportional to it.
    private static func checkHierarchy(_ descriptions: [EntityDescription]) throws(ArchivedModelError) {
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
