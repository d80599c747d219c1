import ObjectGraph

/// Which of a file's triggers still say something right when its tables are those of another model.
///
/// A trigger is kept when everything it names is there under the same name, and no entity number has moved that it may
/// mention. Those that keep a derived attribute current stay together, and only with the attribute as it was; otherwise new
/// ones take their place (`DerivationStatements`).
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

    /// Of the destination's derived attributes.
    private static func derivationMarks(_ source: MigrationSource) -> [String] {
        source.mapping.destination.entities.flatMap { entity in
            entity.attributes.filter(\.attribute.isDerived).map { attribute in
                MigrationTables.derivationTriggerMark(entity: entity.name, attribute: attribute.name)
            }
        }
    }

    /// Derived attributes of an entity whose triggers go.
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

/// Names of tables and columns before and after, to see what a trigger's text still means.
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
            source.keepsNumbers($0.index) && !source.loses($0.index)
        }
    }

    func areSame(in sql: String) -> Bool {
        let words = sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let mentionsNumbers = words.contains { Int($0).map { $0 > 1 } ?? false }
        let stored = words.filter(MigrationTables.isStoredName).map(String.init)
        return !(mentionsNumbers && numbersMove) && stored.allSatisfy { !before.contains($0) || after.contains($0) }
    }
}
