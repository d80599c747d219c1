import ObjectGraph
import StoreSQL

/// Keys of one-to-one relationships, and keys that refer to deleted rows.
extension SaveAttempt: InsertionWriting {
    var model: Model { runner.map.model }

    var permanent: PermanentIDs { writer.permanent }

    func oneToOne(_ entityIndex: Int) -> [Int: EntityRelationship] { runner.plans[entityIndex].oneToOne }

    func rows(
        referencing destination: ObjectID, along relationship: EntityRelationship, declaredIn entityIndex: Int,
        except kept: ObjectID?
    ) throws -> [ObjectID] {
        let storage = runner.map.entities[entityIndex]
        guard let slot = relationship.slot, let column = storage.columns[slot] else { return [] }
        let text = LinkQueries(SQLiteDialect()).rows(
            of: storage.table, referringTo: destination.key, by: column.name)
        return try connection.withStatement(text) { statement in
            var rows: [ObjectID] = []
            while try statement.step() {
                guard let number = Int(exactly: statement.integer(at: 1)),
                    let rowEntity = runner.map.entityIndexByNumber[number]
                else { continue }
                let row = runner.spaces.id(entityIndex: rowEntity, key: statement.integer(at: 0))
                if kept != row { rows.append(row) }
            }
            return rows
        }
    }

    func rows(
        _ keys: KeySet, notReferencedBackAlong relationship: EntityRelationship, _ entityIndex: Int
    ) throws -> [Int64] {
        guard let columns = runner.map.keyColumns(of: relationship, entityIndex), let back = columns.inverseKey
        else { return [] }
        let text = LinkQueries(SQLiteDialect()).rows(
            among: keys, of: runner.map.entities[entityIndex].table, by: columns, notBackBy: back)
        return try connection.withStatement(text) { statement in
            var found: [Int64] = []
            while try statement.step() { found.append(statement.integer(at: 0)) }
            return found
        }
    }

    /// There are mostly no such rows, so an index look-up is always better than a full scan of the table. If a file
    /// lacks the key's index, which no file of this library or of Apple's does, the table is scanned once.
    var lateReading: DeleteReader {
        DeleteReader(map: runner.map, spaces: runner.spaces, connection, forced: .lookUp)
    }

    mutating func setLink(
        _ relationship: EntityRelationship, of row: ObjectID, to destination: ObjectID?
    ) throws -> Bool {
        guard let slot = relationship.slot, let entityIndex = runner.spaces.entityIndex(of: row),
            let position = runner.plans[entityIndex].columnBySlot.element(slot) ?? nil
        else { return false }
        let plan = runner.plans[entityIndex]
        guard try write(destination, in: plan.columns[position], of: row.key, plan) else { return false }
        saved.adjusted.append(
            .init(
                id: row, relationshipIndex: relationship.index, destination: destination,
                version: try version(of: row.key, plan)))
        // The history of a new row needs no changes besides its insertion. This change was not counted in advance, so
        // it needs an additional key.
        if !isNew(row) { try history?.updated(entityIndex, rows: KeySet([row.key]), slots: [slot], toMany: [], &keys) }
        return true
    }

    /// - Returns: `false` if the row does not exist.
    private func write(
        _ destination: ObjectID?, in column: WriteColumn, of key: Int64, _ plan: WritePlan
    ) throws -> Bool {
        let number = destination.flatMap(runner.spaces.entityIndex).map { Int64(runner.map.entities[$0].entityNumber) }
        let cells = [destination?.key, column.numberName == nil ? nil : number]
        let names = column.allNames
        try connection.withStatement(plan.linkText(column)) { statement in
            for index in names.indices {
                if index < column.names.count, let cell = cells[index] {
                    try statement.bind(cell, at: index + 1)
                } else {
                    try statement.bindNull(at: index + 1)
                }
            }
            try statement.bind(key, at: names.count + 1)
            try statement.run()
        }
        return connection.changeCount == 1
    }
}
