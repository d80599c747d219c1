import Foundation
import ObjectGraph

/// Archived deletions of a store. All reads and writes of one call form one transaction.
extension SQLiteStore {
    package func archivedDeletes() throws -> [ArchivedDelete] {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try ArchivedDeletes.all(connection).map(\.delete) }
        }
    }

    package func conflicts(restoring tokens: [RecoveryToken]) throws -> [RestoreConflict] {
        if tokens.isEmpty { return [] }
        return try pool.withReader { connection in
            try connection.inTransaction(.reading) { try check(tokens, connection).conflicts }
        }
    }

    package func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String?, beforeCommit: () throws -> Void
    ) throws -> SavedRows {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            try watcher.recordingSave { willCommit in
                try connection.inTransaction(.immediate) {
                    let result = try restore(token, rule, author, connection)
                    try beforeCommit()
                    willCommit(result.transactionNumber)
                    return result
                }
            }
        }
    }

    private func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, _ author: String?, _ connection: Connection
    ) throws -> SavedRows {
        let check = try check([token], connection)
        guard check.conflicts.isEmpty || rule == .skippingConflicts else {
            throw RecoveryError.conflicts(check.conflicts)
        }
        guard let number = check.archive.archive.numbers.first else { throw RecoveryError.unknownToken(token) }
        let runner = RestoreRunner(number: number, check: check)
        var keys = KeyAllocator()
        var history = try saveRunner.history.map {
            try HistoryWriter($0, author: author, changeCount: 0, keys: &keys, connection)
        }
        defer { history?.finish() }
        var result = try runner.run(history: &history, keys: &keys)
        try keys.write(names: saveRunner.counterNames, connection)
        result.transactionNumber = history?.number
        return result
    }

    private func check(_ tokens: [RecoveryToken], _ connection: Connection) throws -> RestoreCheck<ArchiveReader> {
        try RestoreCheck(
            ArchiveReader(
                archive: try ArchivedRows(tokens, map: map, spaces: spaces, connection),
                externalData: saveRunner.externalData, connection: connection))
    }

    /// Discards archived deletions. Files are removed after the transaction is on the disk.
    @discardableResult
    package func purge(_ rule: PurgeRule) throws -> [ArchivedDelete] {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            let purge = {
                try connection.inTransaction(.immediate) { try ArchivedDeletes.purge(rule, connection) }
            }
            let (deletes, files) =
                try saveRunner.mayHaveFiles ? connection.withDurableCommits(purge) : purge()
            saveRunner.externalData?.removeUnreferenced(files)
            return deletes
        }
    }
}
