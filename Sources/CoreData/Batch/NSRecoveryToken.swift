import Foundation
import ObjectGraph
import SQLiteStore

/// What a recoverable delete can be taken back by. Keep it as long as that is offered; it may be encoded and used in a later
/// run of the program.
public struct NSRecoveryToken: Sendable, Hashable, Codable {
    let tokens: [RecoveryToken]

    /// - Parameter tokens: in the order in which they are taken back.
    init(_ tokens: [RecoveryToken]) { self.tokens = tokens }

    public init(from decoder: any Decoder) throws {
        tokens = try decoder.singleValueContainer().decode([UUID].self).map { RecoveryToken(uuid: $0) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(tokens.map(\.uuid))
    }
}

extension NSPersistentStoreCoordinator {
    /// Deletes that can still be taken back, the oldest first; of one in chunks, each chunk by itself.
    /// - Throws: What reading the stores throws.
    public func recoverableDeletes() throws -> [NSRecoveryToken] {
        var kept: [KeptDelete] = []
        for member in core.store.members { kept += try member.store.keptDeletes() }
        var known: Set<RecoveryToken> = []
        return kept.sorted { $0.date < $1.date }.map(\.token).filter { known.insert($0).inserted }
            .map { NSRecoveryToken([$0]) }
    }

    /// Takes back a recoverable delete: its rows come back with the identifiers they had, their links, and the links that
    /// survivors lost. Contexts that merge by themselves learn of it as of any save.
    ///
    /// A delete in chunks is taken back chunk by chunk, each in a transaction of its own. Where others write meanwhile, and
    /// it stops half way, it goes on from there when it is asked for again.
    /// - Throws: `CocoaError` 134070 when something cannot come back (nothing of that store changes then), or when nothing is
    ///   kept under the token.
    public func restore(_ token: NSRecoveryToken) throws {
        _ = try restore(token, .strict)
    }

    /// The same, leaving out what cannot come back, and rows that cannot be without it. That stays kept under the token.
    /// - Returns: what was left out, one line each.
    /// - Throws: `CocoaError` 134070 when nothing is kept under the token.
    @discardableResult
    public func restoreSkippingConflicts(_ token: NSRecoveryToken) throws -> [String] {
        try restore(token, .skippingConflicts)
    }

    private func restore(_ token: NSRecoveryToken, _ rule: RestoreRule) throws -> [String] {
        let keepers = try keepers(of: token)
        guard !keepers.isEmpty else {
            throw CocoaError(
                .persistentStoreOperation, text: "The delete was taken back or given up already, or was done elsewhere."
            )
        }
        if rule == .strict { try refuse(keepers) }
        var skipped: [RestoreConflict] = []
        for (place, keeper) in keepers.enumerated() {
            do {
                for token in keeper.tokens { skipped += try restore(token, rule, keeper.store) }
            } catch {
                throw CocoaError.incomplete(error, after: place, of: keepers.count)
            }
        }
        return skipped.map(\.description)
    }

    /// A store, and what it keeps of a delete: of one in chunks, those that were not taken back or given up by themselves.
    private struct Keeper {
        let store: any JoinableStore
        let tokens: [RecoveryToken]
    }

    private func keepers(of token: NSRecoveryToken) throws -> [Keeper] {
        try core.store.members.compactMap { member in
            let known = Set(try member.store.keptDeletes().map(\.token))
            let tokens = token.tokens.filter(known.contains)
            return tokens.isEmpty ? nil : Keeper(store: member.store, tokens: tokens)
        }
    }

    /// No store is to come back when another one cannot, and no chunk without the others.
    private func refuse(_ keepers: [Keeper]) throws {
        let conflicts = try keepers.flatMap { try $0.store.conflicts(restoring: $0.tokens) }
        guard conflicts.isEmpty else {
            throw CocoaError(
                .persistentStoreOperation,
                text: "Nothing was restored. " + conflicts.prefix(5).map(\.description).joined(separator: " "))
        }
    }

    private func restore(
        _ token: RecoveryToken, _ rule: RestoreRule, _ store: any JoinableStore
    ) throws -> [RestoreConflict] {
        let result: RestoreResult
        do {
            result = try store.restore(token, rule, author: nil)
        } catch {
            throw CocoaError(.persistentStoreOperation, text: String(describing: error))
        }
        var changes = SavedChanges()
        changes.inserted = Array(result.restored.ids)
        changes.updatedIDs = Array(result.updated.ids)
        core.tell(changes, from: nil)
        return result.skipped
    }

    /// Gives up what a recoverable delete kept, for good. The chunks of one delete go together. Nothing happens where
    /// nothing is kept under the token any more.
    /// - Throws: What reading and writing the stores throws, a store that was opened for reading only included.
    public func giveUp(_ token: NSRecoveryToken) throws {
        for keeper in try keepers(of: token) {
            for token in RecoveryToken.onePerDelete(keeper.tokens) { try keeper.store.purge(.token(token)) }
        }
    }

    /// Gives up what deletes before the date kept, in all stores that can be written. A delete in chunks counts from its
    /// last one.
    /// - Throws: What reading and writing the stores throws; those asked before have given up theirs then.
    public func giveUpKeptDeletes(before date: Date) throws { try purge(.olderThan(date)) }

    /// Gives up what the oldest deletes kept, until each store that can be written keeps at most so many bytes.
    /// - Throws: As above.
    public func giveUpKeptDeletes(downToByteCount count: Int64) throws { try purge(.downTo(byteCount: count)) }

    private func purge(_ rule: PurgeRule) throws {
        for member in core.store.members where !member.store.isReadOnly { try member.store.purge(rule) }
    }
}
