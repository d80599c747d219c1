import ObjectGraph

extension MemoryStore: DeletionArchiving {
    package func archivedDeletes() throws -> [ArchivedDelete] { rows.archive.map(\.archivedDelete) }

    package func conflicts(restoring tokens: [RecoveryToken]) throws -> [RestoreConflict] {
        try rows.check(restoring: tokens).conflicts
    }

    package func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String?, beforeCommit: () throws -> Void
    ) throws -> SavedRows {
        try transaction { rows in
            let check = try rows.check(restoring: [token])
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
            let tokens = Set(chosen.map(\.token))
            rows.archive.removeAll { tokens.contains($0.token) }
            return chosen
        }
    }
}
