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
    /// A delete in chunks is taken back chunk by chunk, each in a transaction of its own.
    /// - Throws: `RestorationError.conflicts` when something cannot come back; nothing is changed then.
    public func restore(_ token: DeletionToken) throws {
        _ = try restore(token, .strict)
    }

    /// The same, leaving out what cannot come back. That stays kept.
    @discardableResult
    public func restoreSkippingConflicts(_ token: DeletionToken) throws -> RestoredDeletion {
        try restore(token, .skippingConflicts)
    }

    /// What stands in the way of taking a delete back now, one line each.
    public func conflicts(restoring token: DeletionToken) throws -> [String] {
        guard let store = core.recoverableStore else { throw RestorationError.notSupported }
        do {
            return try token.tokens.flatMap { try store.conflicts(restoring: $0).map(\.description) }
        } catch let error as RecoveryError {
            throw RestorationError(error)
        }
    }

    private func restore(_ token: DeletionToken, _ rule: RestoreRule) throws -> RestoredDeletion {
        guard let store = core.recoverableStore else { throw RestorationError.notSupported }
        var restored = RestoredDeletion()
        do {
            for token in token.tokens {
                let result = try store.restore(token, rule, author: nil)
                core.tell(result)
                restored.restored += result.restored.ids.map(PersistentIdentifier.init)
                restored.relinked += result.updated.ids.map(PersistentIdentifier.init)
                restored.skipped += result.skipped.map(\.description)
            }
        } catch let error as RecoveryError {
            throw RestorationError(error)
        }
        return restored
    }

    // MARK: Giving up

    /// Gives up what one delete kept, with its files, for good.
    public func purge(_ token: DeletionToken) throws {
        for token in token.tokens { try purge(.token(token)) }
    }

    /// Gives up what deletes before the date kept.
    public func purgeKeptDeletions(before date: Date) throws { try purge(.olderThan(date)) }

    /// Gives up what the oldest deletes kept, until at most so many bytes are left.
    public func purgeKeptDeletions(downToByteCount count: Int64) throws { try purge(.downTo(byteCount: count)) }

    /// Gives up everything that is kept; the store's file is as if nothing had ever been.
    public func purgeKeptDeletions() throws { try purge(.everything) }

    private func purge(_ rule: PurgeRule) throws {
        guard let store = core.recoverableStore else { throw RestorationError.notSupported }
        _ = try store.purge(rule)
    }
}

extension ContainerCore {
    var recoverableStore: (any RecoverableStore)? { store as? any RecoverableStore }

    func tell(_ result: RestoreResult) {
        var changes = SavedChanges()
        changes.inserted = Array(result.restored.ids)
        changes.updatedIDs = Array(result.updated.ids)
        post(changes, from: nil)
    }
}
