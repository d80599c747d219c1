import Foundation
import ObjectGraph

extension StoreDeleting {
    /// Returns the deletions that can be restored, the oldest first; each chunk of a long deletion is listed as one of its own.
    /// - Throws: Errors of reading the stores.
    /// - Complexity: A few statements for each store.
    public func archivedDeletions() throws -> [ArchivedDeletion] {
        try host.mappingErrors { try host.archive?.archivedDeletes().map(ArchivedDeletion.init) ?? [] }
    }

    /// Restores exactly the rows of one deletion, with their identifiers, values and links, and the links that other rows lost.
    /// Live contexts merge the restored rows as they merge saves of others.
    ///
    /// A long deletion is restored chunk by chunk, each in a transaction of its own. If it stops half way because others write
    /// meanwhile, calling this again continues. Chunks that were discarded are passed over. Several stores are restored
    /// together: an error in one leaves all unchanged.
    /// - Parameters:
    ///   - token: the token of the deletion.
    ///   - author: written to the history.
    /// - Returns: The restored rows and links.
    /// - Throws: `DeletionError`: `conflicts` (134070) when something cannot be restored, and nothing is changed then;
    ///   `unknownToken` (134070); `otherModel` (134070) for a deletion archived before a migration; `readOnly` (513).
    /// - Complexity: A few statements for each entity and reference.
    @discardableResult
    public func restore(_ token: DeletionToken, author: String? = nil) throws -> RestoredDeletion {
        try restore(token, .strict, author)
    }

    /// Restores the rows of one deletion except those that conflicts prevent, and rows that depend on these, which stay archived.
    /// - Parameters:
    ///   - token: the token of the deletion.
    ///   - author: written to the history.
    /// - Returns: The restored rows and links, and descriptions of those that were left out.
    /// - Throws: `DeletionError`: `unknownToken` (134070); `otherModel` (134070) for a deletion archived before a migration;
    ///   `readOnly` (513).
    /// - Complexity: A few statements for each entity and reference.
    @discardableResult
    public func restoreSkippingConflicts(_ token: DeletionToken, author: String? = nil) throws -> RestoredDeletion {
        try restore(token, .skippingConflicts, author)
    }

    /// Returns descriptions of the rows and links of a deletion that cannot be restored, one line each; empty if all can.
    /// - Parameter token: the token of the deletion.
    /// - Throws: `DeletionError`: `unknownToken` (134070); `otherModel` (134070). Errors of reading.
    public func conflicts(restoring token: DeletionToken) throws -> [String] {
        try host.mappingErrors {
            let (archive, tokens) = try archived(token)
            return try archive.conflicts(restoring: tokens).map(\.description)
        }
    }

    // MARK: Discarding

    /// Discards the archive of one deletion and its files for good; of a long deletion, all chunks.
    ///
    /// A token under which nothing is archived is ignored, where `restore(_:author:)` throws.
    /// - Parameter token: the token of the deletion.
    /// - Throws: `DeletionError.readOnly` (513) for a store that was opened for reading only, and errors of writing.
    public func discard(_ token: DeletionToken) throws {
        try host.mappingErrors {
            for part in RecoveryToken.onePerDelete(try known(token)) { try host.archive?.purge(.token(part)) }
        }
    }

    /// Discards the archives of deletions before a date. The date of a long deletion is that of its last chunk.
    ///
    /// Stores that were opened for reading only are left unchanged.
    /// - Parameter date: archives of deletions before it are discarded.
    /// - Throws: `DeletionError.readOnly` (513) where no store can be written, and errors of writing.
    public func discardArchivedDeletions(before date: Date) throws { try discard(.olderThan(date)) }

    /// Discards the archives of the oldest deletions until the archives of all stores together have at most so many bytes.
    ///
    /// Stores that were opened for reading only are left unchanged.
    /// - Parameter count: the number of bytes to keep at most.
    /// - Throws: `DeletionError.readOnly` (513) where no store can be written, and errors of writing.
    public func discardArchivedDeletions(downToByteCount count: Int64) throws { try discard(.downTo(byteCount: count)) }

    /// Discards all archives.
    ///
    /// Stores that were opened for reading only are left unchanged.
    /// - Throws: `DeletionError.readOnly` (513) where no store can be written, and errors of writing.
    public func discardArchivedDeletions() throws { try discard(.everything) }
}

extension StoreDeleting {
    /// The chunks of a deletion that are still archived.
    private func known(_ token: DeletionToken) throws -> [RecoveryToken] {
        let known = Set(try host.archive?.archivedDeletes().map(\.token) ?? [])
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
                // No chunk is restored if another one has conflicts.
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
