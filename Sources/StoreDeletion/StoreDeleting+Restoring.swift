import Foundation
import ObjectGraph

extension StoreDeleting {
    /// Deletions that can be restored, the oldest first; each chunk of a long one by itself.
    /// - Throws: What reading the stores throws.
    /// - Complexity: A few statements for each store.
    public func archivedDeletions() throws -> [ArchivedDeletion] {
        try host.mappingErrors { try host.archive?.keptDeletes().map(ArchivedDeletion.init) ?? [] }
    }

    /// Restores exactly what one deletion took: rows with the identifiers they had, their values and links, and the links that
    /// other rows lost. Live contexts take it in as they do the saves of others.
    ///
    /// A long deletion is restored chunk by chunk, each in a transaction of its own. If it stops half way because others write
    /// meanwhile, calling it again continues. Chunks that are no longer archived are passed over. Several stores are restored
    /// together: an error in one leaves all as they were.
    /// - Parameter author: written to the history.
    /// - Throws: `DeletionError`: `conflicts` (134070) when something cannot be restored, and nothing is changed then;
    ///   `unknownToken` (134070); `otherModel` (134070) for one archived before a migration; `readOnly` (513).
    /// - Complexity: A few statements for each entity and reference.
    @discardableResult
    public func restore(_ token: DeletionToken, author: String? = nil) throws -> RestoredDeletion {
        try restore(token, .strict, author)
    }

    /// The same, leaving out what cannot be restored, and rows that cannot be without it. That stays archived.
    /// - Throws: As `restore(_:author:)`, but no `conflicts`.
    @discardableResult
    public func restoreSkippingConflicts(_ token: DeletionToken, author: String? = nil) throws -> RestoredDeletion {
        try restore(token, .skippingConflicts, author)
    }

    /// What cannot be restored now, one line each; empty when all can.
    /// - Throws: `DeletionError`: `unknownToken` (134070); `otherModel` (134070). What reading throws.
    public func conflicts(restoring token: DeletionToken) throws -> [String] {
        try host.mappingErrors {
            let (archive, tokens) = try archived(token)
            return try archive.conflicts(restoring: tokens).map(\.description)
        }
    }

    // MARK: Discarding

    /// Discards what one deletion archived, with its files, for good; of a long one, all chunks. A deletion that is not archived,
    /// or no longer, is passed over, where `restore(_:author:)` would throw.
    /// - Throws: `DeletionError.readOnly` (513) for a store that was opened for reading only, and what writing throws.
    public func discard(_ token: DeletionToken) throws {
        try host.mappingErrors {
            for part in RecoveryToken.onePerDelete(try known(token)) { try host.archive?.purge(.token(part)) }
        }
    }

    /// Discards what deletions before the date archived. A long deletion counts from its last chunk.
    ///
    /// Stores that were opened for reading only keep what they have.
    /// - Throws: `DeletionError.readOnly` (513) where no store can be written, and what writing throws.
    public func discardArchivedDeletions(before date: Date) throws { try discard(.olderThan(date)) }

    /// Discards what the oldest deletions archived, until all stores together keep at most so many bytes.
    /// - Throws: As `discardArchivedDeletions(before:)`.
    public func discardArchivedDeletions(downToByteCount count: Int64) throws { try discard(.downTo(byteCount: count)) }

    /// Discards everything that is archived.
    /// - Throws: As `discardArchivedDeletions(before:)`.
    public func discardArchivedDeletions() throws { try discard(.everything) }
}

extension StoreDeleting {
    /// The chunks of a deletion that are archived still.
    private func known(_ token: DeletionToken) throws -> [RecoveryToken] {
        let known = Set(try host.archive?.keptDeletes().map(\.token) ?? [])
        return token.tokens.filter(known.contains)
    }

    private func archived(
        _ token: DeletionToken
    ) throws -> (archive: any DeletionArchiving, tokens: [RecoveryToken]) {
        let tokens = try known(token)
        guard let archive = host.archive, !tokens.isEmpty else { throw DeletionError.unknownToken }
        return (archive, tokens)
    }

    private func restore(
        _ token: DeletionToken, _ rule: RestoreRule, _ author: String?
    ) throws -> RestoredDeletion {
        try host.mappingErrors {
            let (archive, tokens) = try archived(token)
            if rule == .strict, tokens.count > 1 {
                // No chunk is restored when another one cannot be.
                let conflicts = try archive.conflicts(restoring: tokens)
                guard conflicts.isEmpty else { throw RecoveryError.conflicts(conflicts) }
            }
            var restored = RestoredDeletion()
            for token in tokens {
                let result = try archive.restore(token, rule, author: author)
                host.announce(result)
                restored.append(result)
            }
            return restored
        }
    }

    private func discard(_ rule: PurgeRule) throws {
        try host.mappingErrors {
            guard let archive = host.archive else { return }
            guard !archive.isReadOnly else { throw DeletionError.readOnly }
            try archive.purge(rule)
        }
    }
}
