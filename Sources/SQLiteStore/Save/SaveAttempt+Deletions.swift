import ObjectGraph

/// Keys that lead to rows which this save deletes, and that the change set does not mention: other contexts linked the rows
/// since the saving one read them.
extension SaveAttempt {
    /// To be called when all rows are written. A key that may be nil becomes nil; what else the delete rules say is for the
    /// graph to do.
    /// - Throws: `StaleRow` with the rows that cannot be without their key, or that a rule other than nullify leads to.
    /// - Complexity: One statement for each relationship whose key leads to an entity of which rows were deleted, with a
    ///   look-up for each of these. In a file that lacks the index of a key, as no file of this library or of Apple's does, the
    ///   key's table is read once instead.
    mutating func clearLinksToDeleted() throws {
        if changes.deletions.isEmpty { return }
        // Mostly there is none to be found, so no share of a table makes reading it whole worth while.
        let reader = DeleteReader(map: runner.map, spaces: runner.spaces, connection, forced: .lookUp)
        var leading: Set<ObjectID> = []
        for (entityIndex, deletions) in Dictionary(grouping: changes.deletions, by: \.entityIndex).sorted(by: {
            $0.key < $1.key
        }) {
            let keys = KeySet(deletions.map(\.id.key))
            for incoming in runner.plans[entityIndex].incomingKeys {
                for (holderIndex, rows) in try reader.holders(of: incoming.place, pointingAt: keys) {
                    for row in rows.keys.map({ runner.spaces.id(entityIndex: holderIndex, key: $0) }) {
                        if incoming.isNullified || isNew(row) {
                            try clear(incoming.relationship, of: row)
                        } else {
                            leading.insert(row)
                        }
                    }
                }
            }
        }
        if !leading.isEmpty { throw StaleRow(leading: leading) }
    }
}
