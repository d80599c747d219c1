import Foundation
import ObjectGraph

extension ModelContainer {
    /// Deletes that can still be taken back, the oldest first.
    /// - Throws: What reading the store throws.
    public func keptDeletions() throws -> [KeptDeletion] {
        try core.recoverableStore?.keptDeletes().map(KeptDeletion.init) ?? []
    }

    /// Takes back exactly one delete: its models come back with the identifiers they had, their links, and the links that
    /// others lost. Live contexts learn of it as of any save.
    ///
    /// A delete in chunks is taken back chunk by chunk, each in a transaction of its own. Where others write meanwhile, and
    /// it stops half way, it goes on from there when it is asked for again. Chunks that are no longer kept are passed over.
    /// - Parameter author: Text that stands beside it in the history.
    /// - Throws: `RestorationError.conflicts` when something cannot come back; nothing is changed then.
    ///   `RestorationError.unknownToken`; `CocoaError.fileWriteNoPermission` for a read-only store.
    public func restore(_ token: DeletionToken, author: String? = nil) throws {
        _ = try restore(token, .strict, author)
    }

    /// The same, leaving out what cannot come back. That stays kept.
    /// - Throws: `RestorationError.unknownToken`, `.notSupported` for stores that keep no deletes;
    ///   `CocoaError.fileWriteNoPermission` for a read-only store.
    @discardableResult
    public func restoreSkippingConflicts(_ token: DeletionToken, author: String? = nil) throws -> RestoredDeletion {
        try restore(token, .skippingConflicts, author)
    }

    /// What stands in the way of taking a delete back now, one line each.
    /// - Throws: `RestorationError.unknownToken`, `.notSupported` for stores that keep no deletes; what reading throws.
    public func conflicts(restoring token: DeletionToken) throws -> [String] {
        let store = try recoverableStore()
        return try mapping {
            try store.conflicts(restoring: try kept(token, store)).map(\.description)
        }
    }

    private func restore(
        _ token: DeletionToken, _ rule: RestoreRule, _ author: String?
    ) throws -> RestoredDeletion {
        let store = try recoverableStore()
        var restored = RestoredDeletion()
        if rule == .strict, token.tokens.count > 1 {
            // The first chunks are not to come back when a later one cannot.
            let conflicts = try conflicts(restoring: token)
            guard conflicts.isEmpty else { throw RestorationError.conflicts(conflicts) }
        }
        try mapping {
            for token in try kept(token, store) {
                let result = try store.restore(token, rule, author: author)
                core.tell(result)
                restored.restored += result.restored.ids.map(PersistentIdentifier.init)
                restored.relinked += result.updated.ids.map(PersistentIdentifier.init)
                restored.skipped += result.skipped.map(\.description)
            }
        }
        return restored
    }

    /// The chunks that are still kept: others may have been taken back, or given up, by themselves.
    private func kept(_ token: DeletionToken, _ store: any RecoverableStore) throws -> [RecoveryToken] {
        guard token.tokens.count > 1 else { return token.tokens }
        let known = Set(try store.keptDeletes().map(\.token))
        let tokens = token.tokens.filter(known.contains)
        guard !tokens.isEmpty else { throw RestorationError.unknownToken }
        return tokens
    }

    // MARK: Giving up

    /// Gives up what one delete kept, with its files, for good. A delete that is not kept, or no longer, is passed over,
    /// where `restore(_:author:)` would say so.
    /// - Throws: `RestorationError.notSupported` for stores that keep no deletes, `CocoaError.fileWriteNoPermission` for a
    ///   read-only store.
    public func purge(_ token: DeletionToken) throws {
        for token in RecoveryToken.onePerDelete(token.tokens) { try purge(.token(token)) }
    }

    /// Gives up what deletes before the date kept.
    /// - Throws: As `purge(_:)`.
    public func purgeKeptDeletions(before date: Date) throws { try purge(.olderThan(date)) }

    /// Gives up what the oldest deletes kept, until at most so many bytes are left.
    /// - Throws: As `purge(_:)`.
    public func purgeKeptDeletions(downToByteCount count: Int64) throws { try purge(.downTo(byteCount: count)) }

    /// Gives up everything that is kept; the store's file is as if nothing had ever been.
    /// - Throws: As `purge(_:)`.
    public func purgeKeptDeletions() throws { try purge(.everything) }

    private func purge(_ rule: PurgeRule) throws {
        let store = try recoverableStore()
        _ = try mapping { try store.purge(rule) }
    }

    private func recoverableStore() throws -> any RecoverableStore {
        guard let store = core.recoverableStore else { throw RestorationError.notSupported }
        return store
    }
}

extension ContainerCore {
    var recoverableStore: (any RecoverableStore)? { store as? any RecoverableStore }

    func tell(_ result: RestoreResult) {
        var changes = SavedChanges()
        changes.inserted = Array(result.restored.ids)
        changes.updatedIDs = Array(result.updated.ids)
        announce(changes)
    }
}
