import Foundation
import ObjectGraph

/// Merges models into a new one; the originals are not changed.
enum ModelMerging {
    /// Two different entities have the same name.
    struct Clash: Error, CustomStringConvertible {
        let entity: String

        var description: String {
            "Models cannot be merged, as two entities named '\(entity)' differ; rename one."
        }
    }

    /// - Throws: `Clash`, or `ManagedObjectModelError` for an invalid entity, which cannot be compared.
    static func merged(_ models: [NSManagedObjectModel]) throws -> NSManagedObjectModel {
        let merged = NSManagedObjectModel()
        var known: [String: EntityDescription] = [:]
        var entities: [NSEntityDescription] = []
        for model in models {
            let compiler = ModelCompiler(entities: model.entities, versionIdentifiers: [])
            for entity in model.entities {
                let description = try compiler.description(of: entity)
                if let other = known[description.name] {
                    guard other == description else { throw Clash(entity: description.name) }
                } else {
                    known[description.name] = description
                    entities.append(entity)
                }
            }
        }
        merged.entities = EntityCopies(of: entities).entities
        for model in models { unite(model, into: merged) }
        return merged
    }

    private static func unite(_ model: NSManagedObjectModel, into merged: NSManagedObjectModel) {
        for (name, members) in model.configurationNames {
            let known = merged.configurationNames[name] ?? []
            merged.configurationNames[name] = known + members.filter { !known.contains($0) }
        }
        merged.versionIdentifiers.formUnion(model.versionIdentifiers)
        merged.templates.merge(model.templates) { first, _ in first }
        if let texts = model.localizationDictionary {
            merged.localizationDictionary = (merged.localizationDictionary ?? [:]).merging(texts) { first, _ in first }
        }
    }

    /// - Returns: `nil` if none of the models has an entity with one of the hashes.
    static func chosen(from models: [NSManagedObjectModel], hashes: [String: Data]) -> NSManagedObjectModel? {
        let known = models.map(\.entityVersionHashesByName)
        if let whole = zip(models, known).first(where: { $0.1 == hashes })?.0 {
            return whole.copy() as? NSManagedObjectModel
        }
        var entities: [NSEntityDescription] = []
        var used: Set<Int> = []
        for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
            guard let index = known.firstIndex(where: { $0[name] == hash }),
                let entity = models[index].entity(named: name)
            else { return nil }
            entities.append(entity)
            used.insert(index)
        }
        let chosen = NSManagedObjectModel()
        chosen.entities = EntityCopies(of: entities).entities
        for index in used.sorted() { unite(models[index], into: chosen) }
        return chosen
    }
}
