import ObjectGraph

/// The file as it is, and what becomes of its rows: what the statements of a migration are made from.
struct MigrationSource {
    let mapping: InferredMapping
    /// Where the file has the source's properties.
    let map: StorageMap
    /// What the destination's properties are to be called.
    let layout: SchemaLayout
    /// Names of tables that are out of the way, by the ones they had.
    var waiting: [String: String] = [:]

    /// A table's name while rows are copied.
    func name(_ table: String) -> String { waiting[table] ?? table }

    func formerNumber(_ sourceIndex: Int) -> Int { map.entities[sourceIndex].entityNumber }

    /// The number the rows of a source entity are to have; `nil` where they go.
    func newNumber(_ sourceIndex: Int) -> Int? { mapping.successors[sourceIndex].map { layout.numbers[$0] } }

    /// What is true of the entity's rows. Where a table has rows of one entity only, all are, whatever number they carry: so
    /// they are read.
    func ownRows(_ row: String, _ sourceIndex: Int) -> String {
        isAlone(sourceIndex) ? "1" : "\(row).\(SystemTables.entityColumn) = \(formerNumber(sourceIndex))"
    }

    /// Whether the entity's table has rows of no other.
    func isAlone(_ sourceIndex: Int) -> Bool {
        let entity = mapping.source[sourceIndex]
        return entity.isRoot && entity.familyIndexes.count == 1
    }

    private func family(_ sourceIndex: Int) -> [Int] { mapping.source[sourceIndex].familyIndexes }

    /// Whether rows of the entity, or of one below it, go.
    func loses(_ sourceIndex: Int) -> Bool { family(sourceIndex).contains { mapping.successors[$0] == nil } }

    /// Whether rows of the entity, and of those below it, keep their entity numbers.
    func keepsNumbers(_ sourceIndex: Int) -> Bool {
        family(sourceIndex).allSatisfy { newNumber($0) == nil || newNumber($0) == formerNumber($0) }
    }

    /// The key itself, or NULL where its row goes.
    func surviving(_ key: String, _ sourceIndex: Int) -> String {
        guard loses(sourceIndex) else { return key }
        let numbers = family(sourceIndex).filter { mapping.successors[$0] != nil }.map { "\(formerNumber($0))" }
        let (row, entity) = (SystemTables.keyColumn, SystemTables.entityColumn)
        return "(SELECT t.\(row) FROM \(name(map.entities[sourceIndex].table)) t WHERE t.\(row) = \(key) "
            + "AND t.\(entity) IN (\(numbers.joined(separator: ", "))))"
    }

    /// The number that the entity of a key's row is to have.
    func renumbered(_ key: String, _ sourceIndex: Int) -> String {
        let cases = family(sourceIndex).compactMap { index in
            newNumber(index).map { "WHEN \(ownRows("t", index)) THEN \($0)" }
        }
        guard !cases.isEmpty else { return "NULL" }
        return "(SELECT CASE \(cases.joined(separator: " ")) END "
            + "FROM \(name(map.entities[sourceIndex].table)) t WHERE t.\(SystemTables.keyColumn) = \(key))"
    }

    /// The links a relationship of the destination takes over from relationships of its own.
    func links(_ relationship: EntityRelationship) -> [SourceLinks] {
        mapping.origins(of: relationship).compactMap { map.links(of: $0) }
    }

    /// The links a relationship of the destination takes over, be it from its own former self or from its inverse's.
    func allLinks(_ relationship: EntityRelationship) -> [SourceLinks] {
        let own = links(relationship)
        guard own.isEmpty, let inverse = mapping.destination.inverse(of: relationship) else { return own }
        return links(inverse).map(\.reversed)
    }

    func relationship(_ key: PropertyKey) -> EntityRelationship? {
        mapping.destination[key.entityIndex].relationship(named: key.name)
    }
}
