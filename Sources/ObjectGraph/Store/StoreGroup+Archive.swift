/// The archived deletions of a group of stores. A deletion has the same token in every store that it changed.
extension StoreGroup: DeletionArchiving {
    private var archives: [any DeletionArchiving] { members.sorted(by: Member.isWritten).compactMap(\.store.archive) }

    package func archivedDeletes() throws -> [ArchivedDelete] {
        Self.joined(try archives.map { try $0.archivedDeletes() })
    }

    package func conflicts(restoring tokens: [RecoveryToken]) throws -> [RestoreConflict] {
        var unknown = Set(tokens)
        var conflicts: [RestoreConflict] = []
        for archive in archives {
            let kept = Set(try archive.archivedDeletes().map(\.token))
            unknown.subtract(kept)
            conflicts += try archive.conflicts(restoring: tokens.filter(kept.contains))
        }
        if let token = tokens.first(where: unknown.contains) { throw RecoveryError.unknownToken(token) }
        return conflicts
    }

    /// Writes in every store before it commits in any.
    package func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, author: String?, beforeCommit: () throws -> Void
    ) throws -> SavedRows {
        let stores = try stores(keeping: token)
        if rule == .strict, stores.count > 1 {
            // Reports the conflicts of all stores, not only of the first with any.
            let conflicts = try stores.flatMap { try $0.conflicts(restoring: token) }
            guard conflicts.isEmpty else { throw RecoveryError.conflicts(conflicts) }
        }
        var results: [SavedRows] = []
        try restore(Order(token: token, rule: rule, author: author), stores[...], &results, beforeCommit)
        var joined = SavedRows()
        for result in results {
            joined.restored.formUnion(result.restored)
            joined.updated.formUnion(result.updated)
            joined.skipped += result.skipped
        }
        // Each store counts its own history.
        joined.transactionNumber = results.count == 1 ? results.first?.transactionNumber : nil
        return joined
    }

    /// Each store discards independently of the others. Read-only stores keep their archives.
    /// - Throws: `StoreGroupError.readOnly` if only read-only stores have the deletion with the token.
    @discardableResult
    package func purge(_ rule: PurgeRule) throws -> [ArchivedDelete] {
        switch rule {
        case .downTo(let limit): return try purge(downTo: limit)
        case .token(let token):
            let keeping = try archives.filter { store in
                try store.archivedDeletes().contains { $0.token.delete == token.delete }
            }
            guard keeping.isEmpty || keeping.contains(where: { !$0.isReadOnly }) else {
                throw StoreGroupError.readOnly(entities: model.entities.map(\.name))
            }
            return try purgeEach(rule)
        case .olderThan, .everything: return try purgeEach(rule)
        }
    }

    private var writableStores: [any DeletionArchiving] { archives.filter { !$0.isReadOnly } }

    private func purgeEach(_ rule: PurgeRule) throws -> [ArchivedDelete] {
        Self.joined(try writableStores.map { try $0.purge(rule) })
    }

    /// The limit applies to all stores together.
    private func purge(downTo limit: Int64) throws -> [ArchivedDelete] {
        let stores = writableStores
        let kept = Self.joined(try stores.map { try $0.archivedDeletes() })
        var purged: [ArchivedDelete] = []
        var sum = kept.map(\.byteCount).saturatingSum()
        for chunks in PurgeRule.deletes(kept) where sum > limit {
            sum -= chunks.map(\.byteCount).saturatingSum()
            guard let token = chunks.first?.token else { continue }
            purged += Self.joined(try stores.map { try $0.purge(.token(token)) })
        }
        return purged
    }

    private struct Order {
        let token: RecoveryToken
        let rule: RestoreRule
        let author: String?
    }

    /// Restores in the first store, and in the others inside its transaction.
    private func restore(
        _ order: Order, _ stores: ArraySlice<any DeletionArchiving>, _ results: inout [SavedRows],
        _ beforeCommit: () throws -> Void
    ) throws {
        guard let store = stores.first else { return try beforeCommit() }
        let result = try store.restore(order.token, order.rule, author: order.author) {
            try restore(order, stores.dropFirst(), &results, beforeCommit)
        }
        results.append(result)
    }

    private func stores(keeping token: RecoveryToken) throws -> [any DeletionArchiving] {
        let stores = try archives.filter { store in
            try store.archivedDeletes().contains { $0.token == token }
        }
        guard !stores.isEmpty else { throw RecoveryError.unknownToken(token) }
        return stores
    }

    /// Returns one archived deletion for each token, the oldest first.
    private static func joined(_ lists: [[ArchivedDelete]]) -> [ArchivedDelete] {
        var kept: [ArchivedDelete] = []
        var places: [RecoveryToken: Int] = [:]
        for delete in lists.joined() {
            guard let place = places[delete.token] else {
                places[delete.token] = kept.count
                kept.append(delete)
                continue
            }
            kept[place] = ArchivedDelete(
                token: delete.token, date: min(kept[place].date, delete.date), author: delete.author,
                summary: kept[place].summary + "; " + delete.summary,
                rowCount: [kept[place].rowCount, delete.rowCount].saturatingSum(),
                linkCount: [kept[place].linkCount, delete.linkCount].saturatingSum(),
                byteCount: [kept[place].byteCount, delete.byteCount].saturatingSum())
        }
        return kept.sorted { $0.date < $1.date }
    }
}
