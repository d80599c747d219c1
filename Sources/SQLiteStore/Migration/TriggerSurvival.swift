import ObjectGraph
import StoreSQL

/// Determines which triggers of a file remain valid under the new model.
///
/// A trigger is kept if everything it names exists under the same name, and no entity number that it may contain has
/// changed. The triggers of one derived attribute are kept only together, and only if the attribute is unchanged;
/// otherwise new ones replace them (`DerivationStatements`).
struct TriggerSurvival {
    let kept: [FileSchema.Part]
    private let dropped: [FileSchema.Part]

    init(_ schema: FileSchema, _ source: MigrationSource) {
        let names = StoredNames(source)
        let split = Dictionary(grouping: schema.triggers) { trigger in
            names.areSame(in: trigger.sql) && Self.isUseful(trigger, source)
        }
        let broken = Self.derivationMarks(source).filter { mark in
            split[false, default: []].contains { $0.name.contains(mark) }
        }
        let isBroken = { (trigger: FileSchema.Part) in
            trigger.name.hasPrefix(MigrationTables.derivationTriggerPrefix)
                && broken.contains(where: trigger.name.contains)
        }
        kept = split[true, default: []].filter { !isBroken($0) }
        dropped = split[false, default: []] + split[true, default: []].filter(isBroken)
    }

    /// The name marks of the destination's derived attributes.
    private static func derivationMarks(_ source: MigrationSource) -> [String] {
        source.mapping.destination.entities.flatMap { entity in
            entity.attributes.filter(\.attribute.isDerived).map { attribute in
                MigrationTables.derivationTriggerMark(entity: entity.name, attribute: attribute.name)
            }
        }
    }

    /// Returns the derived attributes of an entity whose triggers are not kept.
    func abandoned(of entity: Entity) -> Set<String> {
        Set(
            entity.attributes.filter(\.attribute.isDerived).map(\.name).filter { name in
                let mark = MigrationTables.derivationTriggerMark(entity: entity.name, attribute: name)
                return dropped.contains { $0.name.contains(mark) }
            })
    }

    private static func isUseful(_ trigger: FileSchema.Part, _ source: MigrationSource) -> Bool {
        guard trigger.name.hasPrefix(MigrationTables.derivationTriggerPrefix) else { return true }
        return source.mapping.entities.contains { mapping in
            guard let mapping else { return false }
            let entity = source.mapping.destination[mapping.destinationIndex]
            return zip(entity.attributes, mapping.attributeOrigins).contains { attribute, origin in
                guard let origin else { return false }
                let old = source.mapping.source[mapping.sourceIndex].attributes[origin].attribute
                let mark = MigrationTables.derivationTriggerMark(entity: entity.name, attribute: attribute.name)
                return attribute.attribute.isDerived && trigger.name.contains(mark)
                    && old.derivation == attribute.attribute.derivation
            }
        }
    }
}

/// The names of tables and columns before and after, by which a trigger's text is checked.
private struct StoredNames {
    private var before: Set<String> = []
    private var after: Set<String> = []
    private let numbersMove: Bool

    init(_ source: MigrationSource) {
        for entity in source.map.entities {
            before.insert(entity.table.uppercased())
            before.formUnion(entity.columns.compactMap { $0?.name.uppercased() })
        }
        for table in source.layout.tables {
            after.insert(table.name.uppercased())
            after.formUnion(table.columns.map { $0.name.uppercased() })
        }
        numbersMove = !source.mapping.source.entities.filter(\.isRoot).allSatisfy {
            source.keepsNumbers($0.index) && !source.removesRows($0.index)
        }
    }

    func areSame(in sql: String) -> Bool {
        let words = sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let mentionsNumbers = words.contains { Int($0).map { $0 > 1 } ?? false }
        let stored = words.filter(MigrationTables.isStoredName).map(String.init)
        return !(mentionsNumbers && numbersMove) && stored.allSatisfy { !before.contains($0) || after.contains($0) }
    }
}
