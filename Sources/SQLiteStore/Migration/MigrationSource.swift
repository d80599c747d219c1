import ObjectGraph
import StoreSQL

/// The file before the migration and the mapping of its rows. The statements of a migration are made from it.
struct MigrationSource {
    let mapping: InferredMapping
    /// The storage of the source's properties in the file.
    let map: StorageMap
    /// The tables and columns of the destination.
    let layout: SchemaLayout
    /// The temporary names of renamed tables, by their original names.
    var waiting: [String: String] = [:]

    /// Returns a table's name while rows are copied.
    func name(_ table: String) -> String { waiting[table] ?? table }

    func formerNumber(_ sourceIndex: Int) -> Int { map.entities[sourceIndex].entityNumber }

    /// Returns the new entity number of a source entity's rows; `nil` if they are removed.
    func newNumber(_ sourceIndex: Int) -> Int? { mapping.successors[sourceIndex].map { layout.numbers[$0] } }

    /// A condition for rows of the entity. If a table has rows of one entity only, it includes all of them, whatever
    /// number they carry, because that is how they are read.
    func ownRows(_ row: String, _ sourceIndex: Int) -> String {
        isOnlyEntityInTable(sourceIndex) ? "1" : "\(row).\(SystemTables.entityColumn) = \(formerNumber(sourceIndex))"
    }

    /// Whether the entity's table has no rows of other entities.
    func isOnlyEntityInTable(_ sourceIndex: Int) -> Bool {
        let entity = mapping.source[sourceIndex]
        return entity.isRoot && entity.familyIndexes.count == 1
    }

    private func family(_ sourceIndex: Int) -> [Int] { mapping.source[sourceIndex].familyIndexes }

    /// Whether the migration removes rows of the entity or of a subentity.
    func removesRows(_ sourceIndex: Int) -> Bool { family(sourceIndex).contains { mapping.successors[$0] == nil } }

    /// Whether rows of the entity and its subentities keep their entity numbers.
    func keepsNumbers(_ sourceIndex: Int) -> Bool {
        family(sourceIndex).allSatisfy { newNumber($0) == nil || newNumber($0) == formerNumber($0) }
    }

    /// The key itself, or NULL if its row is removed.
    func surviving(_ key: String, _ sourceIndex: Int) -> String {
        guard removesRows(sourceIndex) else { return key }
        let numbers = family(sourceIndex).filter { mapping.successors[$0] != nil }.map { "\(formerNumber($0))" }
        let (row, entity) = (SystemTables.keyColumn, SystemTables.entityColumn)
        return "(SELECT t.\(row) FROM \(name(map.entities[sourceIndex].table)) t WHERE t.\(row) = \(key) "
            + "AND t.\(entity) IN (\(numbers.joined(separator: ", "))))"
    }

    /// The new entity number of a key's row.
    func renumbered(_ key: String, _ sourceIndex: Int) -> String {
        let cases = family(sourceIndex).compactMap { index in
            newNumber(index).map { "WHEN \(ownRows("t", index)) THEN \($0)" }
        }
        guard !cases.isEmpty else { return "NULL" }
        return "(SELECT CASE \(cases.joined(separator: " ")) END "
            + "FROM \(name(map.entities[sourceIndex].table)) t WHERE t.\(SystemTables.keyColumn) = \(key))"
    }

    /// Returns the links that a destination relationship takes over from the owner side of source relationships.
    func links(_ relationship: EntityRelationship) -> [SourceLinks] {
        mapping.origins(of: relationship).compactMap { map.links(of: $0) }
    }

    /// Returns the links that a destination relationship takes over from either side: its own origins, or those of its
    /// inverse.
    func allLinks(_ relationship: EntityRelationship) -> [SourceLinks] {
        let own = links(relationship)
        guard own.isEmpty, let inverse = mapping.destination.inverse(of: relationship) else { return own }
        return links(inverse).map(\.reversed)
    }

    func relationship(_ key: PropertyKey) -> EntityRelationship? {
        mapping.destination[key.entityIndex].relationship(named: key.name)
    }
}
