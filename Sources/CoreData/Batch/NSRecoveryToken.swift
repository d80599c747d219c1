import Foundation
import ObjectGraph
import SQLiteStore

/// What a recoverable delete can be taken back by. Keep it as long as that is offered; it may be encoded and used in a later
/// run of the program.
public struct NSRecoveryToken: Sendable, Hashable, Codable {
    let tokens: [RecoveryToken]

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
    /// Deletes that can still be taken back, the oldest first.
    public func recoverableDeletes() throws -> [NSRecoveryToken] {
        var kept: [KeptDelete] = []
        for member in core.store.members { kept += try member.store.keptDeletes() }
        var tokens: [NSRecoveryToken] = []
        for delete in kept.sorted(by: { $0.date < $1.date }) where !tokens.contains(NSRecoveryToken([delete.token])) {
            tokens.append(NSRecoveryToken([delete.token]))
        }
        return tokens
    }

    /// Takes back a recoverable delete: its rows come back with the identifiers they had, their links, and the links that
    /// survivors lost. Contexts that merge by themselves learn of it as of any save.
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
        var isKnown = false
        var skipped: [RestoreConflict] = []
        for token in token.tokens {
            let keepers = try core.store.members.map(\.store).filter { try keeps($0, token) }
            isKnown = isKnown || !keepers.isEmpty
            if rule == .strict { try refuse(keepers, token) }
            for (place, store) in keepers.enumerated() {
                do {
                    skipped += try restore(token, rule, store)
                } catch {
                    throw CocoaError.incomplete(error, after: place, of: keepers.count)
                }
            }
        }
        guard isKnown else {
            throw CocoaError(
                .persistentStoreOperation, text: "The delete was taken back or given up already, or was done elsewhere."
            )
        }
        return skipped.map(\.description)
    }

    private func keeps(_ store: any JoinableStore, _ token: RecoveryToken) throws -> Bool {
        try store.keptDeletes().contains { $0.token == token }
    }

    /// No store is to come back when another one cannot.
    private func refuse(_ stores: [any JoinableStore], _ token: RecoveryToken) throws {
        let conflicts = try stores.flatMap { try $0.conflicts(restoring: token) }
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

    /// Gives up what a recoverable delete kept, for good.
    public func giveUp(_ token: NSRecoveryToken) throws {
        for token in token.tokens {
            for member in core.store.members where try keeps(member.store, token) {
                try member.store.purge(.token(token))
            }
        }
    }

    /// Gives up what deletes before the date kept.
    public func giveUpKeptDeletes(before date: Date) throws { try purge(.olderThan(date)) }

    /// Gives up what the oldest deletes kept, until each store keeps at most so many bytes.
    public func giveUpKeptDeletes(downToByteCount count: Int64) throws { try purge(.downTo(byteCount: count)) }

    private func purge(_ rule: PurgeRule) throws {
        for member in core.store.members where !member.store.isReadOnly { try member.store.purge(rule) }
    }
}
