import ObjectGraph

/// The derived attributes of a model in a file, and who keeps each of them current.
///
/// 1. Triggers that a file has, Apple's or ours, do their work; nothing is done twice.
/// 2. What a new file gets triggers for is what SQLite can compute by itself (`DerivedTriggers`), so that it holds for every
///    program that writes the file.
/// 3. The rest (texts that are changed, the time) is computed by triggers of the connection that writes, as is whatever
///    a file lacks triggers for.
struct DerivedAttributes {
    /// Entity by entity in the order of their numbers.
    let columns: [DerivedColumn]
    /// Expressions that cannot be computed.
    let failures: [DerivationError]

    init(_ map: StorageMap) {
        var (columns, failures): ([DerivedColumn], [DerivationError]) = ([], [])
        for entity in map.model.entities.sorted(by: { map.number(of: $0) < map.number(of: $1) }) {
            for attribute in entity.attributes
            where attribute.declaringIndex == entity.index && attribute.attribute.isDerived {
                do throws(DerivationError) {
                    let value = try map.model.derivedValue(of: attribute, entity)
                    if let column = DerivedColumn(value, of: attribute, entity, map) { columns.append(column) }
                } catch {
                    failures.append(error)
                }
            }
        }
        self.columns = columns
        self.failures = failures
    }

    /// Whether the model has none.
    var isEmpty: Bool { columns.isEmpty && failures.isEmpty }

    /// What a new file is created with.
    var fileStatements: [String] { columns.flatMap(\.fileStatements) }

    /// Those that triggers of a file do not keep current.
    /// - Parameter triggers: names of those in the file.
    func uncomputed(besides triggers: [String]) -> [DerivedColumn] {
        columns.filter { column in !triggers.contains { $0.keeps(column.attribute, column.entity.name) } }
    }

    /// What a connection that writes is to have.
    func connectionStatements(besides triggers: [String]) -> [String] {
        uncomputed(besides: triggers).flatMap { DerivedTriggers(derived: $0).statements(.connection) }
    }

    /// What nobody computes in a file with these triggers.
    func failures(besides triggers: [String], _ model: Model) -> [DerivationError] {
        failures.filter { failure in
            guard let attribute = model.entity(named: failure.entity)?.attribute(named: failure.attribute) else {
                return true
            }
            return !triggers.contains { $0.keeps(attribute, failure.entity) }
        }
    }
}

extension DerivedColumn {
    /// Triggers in the file; none where SQLite does not suffice.
    var fileStatements: [String] {
        if let counts = DerivedCounts(self) { return counts.statements }
        return needsFunctions ? [] : DerivedTriggers(derived: self).statements(.file)
    }
}

extension String {
    /// Whether a trigger of this name keeps the attribute current.
    fileprivate func keeps(_ attribute: EntityAttribute, _ entity: String) -> Bool {
        hasPrefix(MigrationTables.derivationTriggerPrefix)
            && contains(MigrationTables.derivationTriggerMark(entity: entity, attribute: attribute.name))
    }
}

extension StorageMap {
    fileprivate func number(of entity: Entity) -> Int { entities[entity.index].entityNumber }
}

extension SchemaLayout {
    /// Derived attributes that nothing computes in a new file.
    package var uncomputed: [DerivationError] { DerivedAttributes(StorageMap(self)).failures }
}
