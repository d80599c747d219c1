import ObjectGraph
import StoreSQL

/// The derived attributes of a model in a file, and how each is kept current.
///
/// 1. Existing triggers of a file, Apple's or ours, are used as they are; nothing is computed twice.
/// 2. A new file gets triggers for attributes that SQLite can compute without further functions (`DerivedTriggers`), so
///    that they work for every program that writes the file.
/// 3. All others (changed texts, the time), and attributes without a trigger in the file, are computed by temporary
///    triggers of the writing connection.
struct DerivedAttributes {
    /// The columns in the order of their entities' numbers.
    let columns: [DerivedColumn]
    /// Derivations that cannot be computed.
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

    /// Whether the model has no derived attributes.
    var isEmpty: Bool { columns.isEmpty && failures.isEmpty }

    /// The trigger statements of a new file.
    var fileStatements: [String] { columns.flatMap(\.fileStatements) }

    /// Returns the attributes that the file's triggers do not keep current.
    /// - Parameter triggers: The names of the triggers in the file.
    func uncomputed(besides triggers: [String]) -> [DerivedColumn] {
        columns.filter { column in !triggers.contains { $0.keeps(column.attribute, column.entity.name) } }
    }

    /// Returns the trigger statements for a writing connection.
    func connectionStatements(besides triggers: [String]) -> [String] {
        uncomputed(besides: triggers).flatMap { DerivedTriggers(derived: $0).statements(.connection) }
    }

    /// Returns the derivations that nothing computes in a file with these triggers.
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
    /// The trigger statements for the file; none if SQLite alone cannot compute the value.
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
    /// The derived attributes that nothing computes in a new file.
    package var uncomputed: [DerivationError] { DerivedAttributes(StorageMap(self)).failures }
}
