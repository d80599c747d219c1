import Foundation
import ObjectGraph
import StoreSQL

/// Rewrites the history for the new model: entity numbers, the bits of changed properties, and the columns with preserved
/// values of deleted rows. Deletes the changes of removed entities, but keeps transactions, so that tokens stay valid.
struct HistoryTranslation {
    let source: MigrationSource
    let tables: FileTables

    private typealias Change = HistoryTables.Change

    init?(_ mapping: InferredMapping, _ map: StorageMap, _ tables: FileTables) {
        guard tables.hasHistory else { return nil }
        source = MigrationSource(mapping: mapping, map: map, layout: SchemaLayout(mapping.destination))
        self.tables = tables
    }

    /// - Throws: `SQLiteError`.
    func run(_ connection: Connection) throws {
        for number in tables.tombstoneCount..<max(tables.tombstoneCount, source.layout.tombstoneCount) {
            try connection.execute("ALTER TABLE \(Change.table) ADD COLUMN \(Change.tombstone(number)) BLOB")
        }
        try removeLost(connection)
        for case let mapping? in source.mapping.entities {
            try translateBits(mapping, connection)
            try translateTombstones(mapping, connection)
        }
        try renumber(connection)
    }

    private func removeLost(_ connection: Connection) throws {
        let lost = source.mapping.source.entities.map(\.index).filter { source.mapping.successors[$0] == nil }
        guard !lost.isEmpty else { return }
        let numbers = lost.map { "\(source.formerNumber($0))" }.joined(separator: ", ")
        try connection.execute("DELETE FROM \(Change.table) WHERE \(Change.entity) IN (\(numbers))")
    }

    /// Renumbers all entities in one statement, because one entity's new number may be another's former number.
    private func renumber(_ connection: Connection) throws {
        let moves = source.mapping.source.entities.compactMap { entity -> (from: Int, to: Int)? in
            guard let new = source.newNumber(entity.index), new != source.formerNumber(entity.index) else { return nil }
            return (source.formerNumber(entity.index), new)
        }
        guard !moves.isEmpty else { return }
        let cases = moves.map { "WHEN \($0.from) THEN \($0.to)" }.joined(separator: " ")
        let numbers = moves.map { "\($0.from)" }.joined(separator: ", ")
        try connection.execute(
            "UPDATE \(Change.table) SET \(Change.entity) = CASE \(Change.entity) \(cases) END "
                + "WHERE \(Change.entity) IN (\(numbers))")
    }

    // MARK: Changed properties

    private func translateBits(_ mapping: EntityMapping, _ connection: Connection) throws {
        let former = ChangedColumns(
            entity: source.mapping.source[mapping.sourceIndex], model: source.mapping.source)
        let new = ChangedColumns(
            entity: source.mapping.destination[mapping.destinationIndex], model: source.mapping.destination)
        var cases: [SQLText] = []
        let number = source.formerNumber(mapping.sourceIndex)
        for bits in try storedBits(number, connection) {
            let translated = translated(former.properties(in: bits), mapping).map {
                new.bytes(slots: $0.slots, toMany: $0.toMany)
            }
            guard translated != bits else { continue }
            cases.append(
                "WHEN \(SQLText.parameter(.bytes(bits))) THEN \(SQLText.parameter(translated.map(Cell.bytes) ?? .null))"
            )
        }
        guard !cases.isEmpty else { return }
        try connection.run(
            """
            UPDATE \(Change.table) SET \(Change.columns) = \
            CASE \(Change.columns) \(cases.joined(separator: " ")) ELSE \(Change.columns) END \
            WHERE \(Change.entity) = \(number) AND \(Change.columns) NOT NULL
            """)
    }

    private func storedBits(_ number: Int, _ connection: Connection) throws -> [Data] {
        let sql =
            "SELECT DISTINCT \(Change.columns) FROM \(Change.table) "
            + "WHERE \(Change.entity) = \(number) AND \(Change.columns) NOT NULL"
        return try connection.withStatement(sql) { statement in
            var found: [Data] = []
            while try statement.step() { found.append(statement.bytes(at: 0)) }
            return found
        }
    }

    /// - Returns: `nil` if the changed properties are unknown, which readers of history understand.
    private func translated(_ changed: ChangedProperties, _ mapping: EntityMapping) -> ChangedProperties? {
        guard !changed.mayMissSome else { return nil }
        let former = source.mapping.source[mapping.sourceIndex]
        let entity = source.mapping.destination[mapping.destinationIndex]
        var slots: Set<Int> = []
        var toMany: Set<Int> = []
        for (slot, origin) in mapping.slotOrigins.enumerated() {
            if let origin, changed.slots.contains(origin) { slots.insert(slot) }
        }
        for (relationship, origin) in zip(entity.relationships, mapping.relationshipOrigins) {
            guard let old = origin.map({ former.relationships[$0] }),
                old.slot.map(changed.slots.contains) ?? changed.toMany.contains(old.index)
            else { continue }
            if let slot = relationship.slot { slots.insert(slot) } else { toMany.insert(relationship.index) }
        }
        return ChangedProperties(slots: slots.sorted(), toMany: toMany.sorted())
    }

    // MARK: Preserved values of deleted rows

    private func translateTombstones(_ mapping: EntityMapping, _ connection: Connection) throws {
        let former = source.mapping.source[mapping.sourceIndex]
        let entity = source.mapping.destination[mapping.destinationIndex]
        let (old, new) = (preserved(former), preserved(entity))
        let count = max(tables.tombstoneCount, source.layout.tombstoneCount)
        let origins = new.prefix(count).map { attribute -> Int? in
            let position = entity.attributes.firstIndex { $0 === attribute }
            let origin = position.flatMap { mapping.attributeOrigins[$0] }.map { former.attributes[$0] }
            return origin.flatMap { origin in old.firstIndex { $0 === origin } }
        }
        let assignments = (0..<count).compactMap { number -> String? in
            let origin = (origins.element(number) ?? nil).flatMap { $0 < tables.tombstoneCount ? $0 : nil }
            guard origin != number, number < max(old.count, new.count) else { return nil }
            return "\(Change.tombstone(number)) = \(origin.map(Change.tombstone) ?? "NULL")"
        }
        guard !assignments.isEmpty else { return }
        try connection.execute(
            "UPDATE \(Change.table) SET \(assignments.joined(separator: ", ")) "
                + "WHERE \(Change.entity) = \(source.formerNumber(mapping.sourceIndex)) "
                + "AND \(Change.changeType) = \(HistoryLayout.ChangeKind.delete.rawValue)")
    }

    private func preserved(_ entity: Entity) -> [EntityAttribute] {
        entity.attributes.filter(\.attribute.preservesValueOnDeletion).sorted { $0.name.precedesByBytes($1.name) }
    }
}
