import ObjectGraph

extension SQLiteStore: RowBatching {
    package var canBeReadWhileWritten: Bool { location != .memory }

    package func insert(_ batch: BatchInsert, fill: (inout BatchInsert.Row) throws -> Bool) throws -> SavedRows {
        try writing(batch.meter) { connection in
            var runner = try BatchInsertRunner(batch, runner: saveRunner, connection)
            do {
                let result = try runner.run(fill: fill)
                if !runner.writer.newFiles.isEmpty { try saveRunner.externalData?.synchronizeFolder() }
                return (result, runner.obsoleteFiles)
            } catch {
                saveRunner.externalData?.remove(runner.writer.newFiles)
                throw error
            }
        }
    }

    package func update(_ batch: BatchUpdate) throws -> SavedRows {
        try writing(batch.meter) { connection in
            var runner = BatchUpdateRunner(batch, runner: saveRunner, connection)
            return (try runner.run(), runner.obsoleteFiles)
        }
    }

    package func reserveIDs(entityIndex: Int, count: Int) throws -> [ObjectID] {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        _ = try model.entity(checking: entityIndex)
        let storage = map.entities[entityIndex]
        let keys = try pool.withWriter { connection in
            try connection.inTransaction(.immediate) {
                var allocator = KeyAllocator()
                let keys = try allocator.keys(count, number: storage.rootNumber, table: storage.table, connection)
                try allocator.write(names: [:], connection)
                return keys
            }
        }
        return keys.map { spaces.id(entityIndex: entityIndex, key: $0) }
    }

    /// - Parameter body: Writes within the transaction; returns the result, and files to be removed after the commit.
    private func writing(
        _ meter: RowMeter?, _ body: (Connection) throws -> (SavedRows, [String])
    ) throws -> SavedRows {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            try connection.metered(meter) {
                try watcher.recordingSave { willCommit in
                    guard saveRunner.mayHaveFiles else { return try transact(connection, willCommit, body) }
                    return try connection.withDurableCommits { try transact(connection, willCommit, body) }
                }
            }
        }
    }

    private func transact(
        _ connection: Connection, _ willCommit: (Int64?) -> Void,
        _ body: (Connection) throws -> (SavedRows, [String])
    ) throws -> SavedRows {
        let (result, files) = try connection.inTransaction(.immediate) {
            let written = try body(connection)
            willCommit(written.0.transactionNumber)
            return written
        }
        saveRunner.externalData?.removeUnreferenced(files)
        return result
    }
}
