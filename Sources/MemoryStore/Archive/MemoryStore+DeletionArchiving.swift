import ObjectGraph

extension MemoryStore: DeletionArchiving {
    package func archivedDeletes() throws -> [ArchivedDelete] { rows.archive.map(\.archivedDelete) }

    package func conflicts(restoring tokens: [RecoveryToken]) throws -> [RestoreConflict] {
        try RestoreCheck(ArchivedRows(tokens, in: rows)).conflicts
    }

    package func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String?, beforeCommit: () throws -> Void
    ) throws -> SavedRows {
        try transaction { rows in
            let check = try RestoreCheck(ArchivedRows([token], in: rows))
            guard check.conflicts.isEmpty || rule == .skippingConflicts else {
                throw RecoveryError.conflicts(check.conflicts)
            }
            var result = rows.restore(token, check)
            result.transactionNumber = rows.history.endTransaction(author: author, contextName: nil)
            try beforeCommit()
            return result
        }
    }

    @discardableResult
    package func purge(_ rule: PurgeRule) throws -> [ArchivedDelete] {
        try transaction { rows in
            let chosen = rule.chosen(of: rows.archive.map(\.archivedDelete))
            rows.archive.removeAll { contents in chosen.contains { $0.token == contents.token } }
            return chosen
        }
    }
}
