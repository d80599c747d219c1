import ObjectGraph

/// Converts staged rows to change sets.
extension StagedRows {
    /// Passes the rows in pieces, in the order of their entities.
    /// - Parameters:
    ///   - id: Returns the identity of a row in the change set.
    ///   - isWanted: Whether a row is included.
    /// - Throws: `SQLiteError`, and the errors of the body.
    func forEachPiece(
        of size: Int, id: (Row) -> ObjectID, where isWanted: (Row) -> Bool = { _ in true },
        _ body: ([Row], [ChangeSet.Insertion]) throws -> Void
    ) throws {
        let references = try connection.takeStatement(StagingTables.selectReferences)
        defer { connection.giveBack(references) }
        var hasReference = try references.step()
        var rows: [Row] = []
        var piece: [ChangeSet.Insertion] = []
        try connection.withStatement(StagingTables.selectCells) { statement in
            while try statement.step() {
                let row = Row(number: statement.integer(at: 0))
                let values = statement.withBytes(at: 1) { slotValues(in: $0, of: row) }
                // Both statements are in the order of rows.
                while hasReference, references.integer(at: 0) == row.number {
                    let target = Row(number: references.integer(at: 2))
                    values.fillNull(Int(references.integer(at: 1)), reference: id(target))
                    hasReference = try references.step()
                }
                guard isWanted(row) else { continue }
                rows.append(row)
                piece.append(ChangeSet.Insertion(id: id(row), entityIndex: row.entityIndex, values: values))
                guard piece.count >= size else { continue }
                try body(rows, piece)
                rows.removeAll(keepingCapacity: true)
                piece.removeAll(keepingCapacity: true)
            }
        }
        if !piece.isEmpty { try body(rows, piece) }
    }

    private func slotValues(in bytes: UnsafeRawBufferPointer, of row: Row) -> SlotValues {
        var reader = ValueBytesReader(bytes)
        let count = model[row.entityIndex].slots.count
        let values = SlotValues(nulls: count)
        for slot in 0..<count {
            guard let value = reader.next() else { break }
            values.fillNull(slot, with: value)
        }
        return values
    }

    /// Passes the members of each owner's relationship.
    /// - Throws: `SQLiteError`, and the errors of the body.
    func forEachLinkChange(id: (Row) -> ObjectID, _ body: (ChangeSet.LinkChange) throws -> Void) throws {
        var current: (owner: Row, relationshipIndex: Int)?
        var members: [ObjectID] = []
        func finish() throws {
            guard let current else { return }
            try body(change(of: current.owner, current.relationshipIndex, members, id))
            members.removeAll()
        }
        try connection.withStatement(StagingTables.selectLinks) { statement in
            while try statement.step() {
                let next = (
                    owner: Row(number: statement.integer(at: 0)), relationshipIndex: Int(statement.integer(at: 1))
                )
                if let current, current != next { try finish() }
                current = next
                members.append(id(Row(number: statement.integer(at: 2))))
            }
        }
        try finish()
    }

    private func change(
        of owner: Row, _ relationshipIndex: Int, _ members: [ObjectID], _ id: (Row) -> ObjectID
    ) -> ChangeSet.LinkChange {
        let isOrdered = model[owner.entityIndex].relationships[relationshipIndex].relationship.isOrdered
        return ChangeSet.LinkChange(
            owner: id(owner), ownerEntityIndex: owner.entityIndex, relationshipIndex: relationshipIndex, added: members,
            removed: [], order: isOrdered ? members : nil)
    }

    /// Returns all rows as one change set in memory, with temporary identities.
    /// - Throws: `SQLiteError`.
    package func changes(author: String?) throws -> ChangeSet {
        var changes = ChangeSet()
        changes.author = author
        var ids: [Row: ObjectID] = [:]
        let id = { [model] (row: Row) -> ObjectID in
            if let known = ids[row] { return known }
            let new = ObjectID.temporary(entityName: model[row.entityIndex].name)
            ids[row] = new
            return new
        }
        try forEachPiece(of: .max, id: id) { changes.insertions = $1 }
        try forEachLinkChange(id: id) { changes.links.append($0) }
        return changes
    }
}
