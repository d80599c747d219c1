import Foundation
import ObjectGraph

extension StoreDeleting {
    /// Deletions that can be restored, the oldest first; each chunk of a long one by itself.
    /// - Throws: What reading the stores throws.
    /// - Complexity: A few statements for each store.
    public func archivedDeletions() throws -> [ArchivedDeletion] {
        try host.mappingErrors {
            StoreSet.joined(try host.archives.map { try $0.keptDeletes() }).map(ArchivedDeletion.init)
        }
    }

    /// Restores exactly what one deletion took: rows with the identifiers they had, their values and links, and the links that
    /// other rows lost. Live contexts take it in as they do the saves of others.
    ///
    /// A long deletion is restored chunk by chunk, each in a transaction of its own. If it stops half way because others write
    /// meanwhile, calling it again continues. Chunks that are no longer archived are passed over. In a container of SwiftData
    /// several stores are restored in one transaction, in a coordinator of Core Data one after the other.
    /// - Parameter author: written to the history.
    /// - Throws: `DeletionError`: `conflicts` (134070) when something cannot be restored, and nothing is changed then;
    ///   `unknownToken` (134070); `otherModel` (134070) for one archived before a migration; `readOnly` (513). Of a coordinator,
    ///   134040 when some stores were restored and the next one failed.
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
        try host.mappingErrors { try conflicts(archivesWithRows(of: token)).map(\.description) }
    }

    // MARK: Discarding

    /// Discards what one deletion archived, with its files, for good; of a long one, all chunks. A deletion that is not archived,
    /// or no longer, is passed over, where `restore(_:author:)` would throw.
    /// - Throws: `DeletionError.readOnly` (513) for a store that was opened for reading only, and what writing throws.
    public func discard(_ token: DeletionToken) throws {
        try host.mappingErrors {
            for part in try parts(of: token) {
                for token in RecoveryToken.onePerDelete(part.tokens) { try part.archive.purge(.token(token)) }
            }
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

/// A store, and what it archived of a deletion: the chunks that were not restored or discarded by themselves.
private struct ArchivedPart {
    let archive: any DeletionArchiving
    let tokens: [RecoveryToken]
}

extension StoreDeleting {
    private func parts(of token: DeletionToken) throws -> [ArchivedPart] {
        try host.archives.compactMap { archive in
            let known = Set(try archive.keptDeletes().map(\.token))
            let tokens = token.tokens.filter(known.contains)
            return tokens.isEmpty ? nil : ArchivedPart(archive: archive, tokens: tokens)
        }
    }

    private func archivesWithRows(of token: DeletionToken) throws -> [ArchivedPart] {
        let parts = try parts(of: token)
        guard !parts.isEmpty else { throw DeletionError.unknownToken }
        return parts
    }

    private func conflicts(_ parts: [ArchivedPart]) throws -> [RestoreConflict] {
        try parts.flatMap { try $0.archive.conflicts(restoring: $0.tokens) }
    }

    private func restore(
        _ token: DeletionToken, _ rule: RestoreRule, _ author: String?
    ) throws -> RestoredDeletion {
        try host.mappingErrors {
            let parts = try archivesWithRows(of: token)
            if rule == .strict, parts.count > 1 || parts.contains(where: { $0.tokens.count > 1 }) {
                // No store and no chunk is restored when another one cannot be.
                let conflicts = try conflicts(parts)
                guard conflicts.isEmpty else { throw RecoveryError.conflicts(conflicts) }
            }
            var restored = RestoredDeletion()
            for (done, part) in parts.enumerated() {
                do {
                    for token in part.tokens {
                        let result = try part.archive.restore(token, rule, author: author)
                        host.announce(result)
                        restored.append(result)
                    }
                } catch {
                    throw host.incompleteError(host.programError(error), after: done, of: parts.count)
                }
            }
            return restored
        }
    }

    private func discard(_ rule: PurgeRule) throws {
        try host.mappingErrors {
            let archives = host.archives.filter { !$0.isReadOnly }
            guard !archives.isEmpty || host.archives.isEmpty else { throw DeletionError.readOnly }
            if case .downTo(let limit) = rule, archives.count > 1 {
                try StoreSet.purge(archives, downTo: limit)
            } else {
                for archive in archives { try archive.purge(rule) }
            }
        }
    }
}
