import Foundation
import ObjectGraph
import StoreSQL

/// Writes a change set in one transaction, completely or not at all.
///
/// The order is: deletions (with their join rows), the bulk delete, updates, insertions entity by entity, references that the
/// change set does not mention (`InverseMaintenance`), links, key counters. Keys are assigned before any reference to
/// them is written, so references among insertions may form cycles. History rows are
/// written between and after the changes that they describe, many with one statement.
///
/// Two checks are tried in a fast way first, with a slow way after a failure: the writing statements themselves check
/// row versions, and insertions are matched with existing rows only after a violation of a uniqueness constraint.
struct SaveRunner: Sendable {
    let map: StorageMap
    let spaces: EntitySpaces
    let plans: PerEntity<WritePlan>
    let externalData: ExternalData?
    let history: HistoryLayout?
    let deleteRunner: DeleteRunner
    /// The names of key counters, by number.
    let counterNames: [Int: String]
    /// Whether any entity has values that may be in external files.
    private let hasExternal: Bool
    /// Whether any entity has a uniqueness constraint for which the file's index does not detect all equal rows.
    let hasConstraintsWithNulls: Bool

    init(map: StorageMap, spaces: EntitySpaces, externalData: ExternalData?, history: HistoryLayout?) {
        self.map = map
        self.spaces = spaces
        self.externalData = externalData
        self.history = history
        deleteRunner = DeleteRunner(map: map, spaces: spaces)
        counterNames = map.model.entities.reduce(into: HistoryLayout.names) { names, entity in
            names[map.entities[entity.index].entityNumber] = entity.name
        }
        plans = PerEntity(map.model) { WritePlan(entityIndex: $0.index, map: map, dialect: SQLiteDialect()) }
        hasExternal = plans.contains(where: \.hasExternal)
        hasConstraintsWithNulls = plans.contains { !$0.uniquenessWithNulls.isEmpty }
    }

    /// - Parameters:
    ///   - fetch: Reads the stored rows of conflicts.
    ///   - beforeCommit: Called once with the saved rows, after everything is written; an error thrown here rolls the
    ///     transaction back.
    /// - Throws: `ChangeSetError`, `UniqueViolation`, `CellError`, `ExternalDataError`, `SQLiteError`.
    func save(
        _ changes: ChangeSet, _ connection: Connection, fetch: FetchRunner, beforeCommit: (SavedRows) throws -> Void
    ) throws -> SaveResult {
        if changes.isEmpty {
            let nothing = SavedRows()
            try beforeCommit(nothing)
            return .saved(nothing)
        }
        try changes.check(map.model, entityIndex: spaces.entityIndex)
        do {
            guard mayDropFiles(changes) else { return .saved(try attempt(changes, connection, beforeCommit)) }
            return .saved(try connection.withDurableCommits { try attempt(changes, connection, beforeCommit) })
        } catch let stale as StaleRow {
            return .conflicts(try stale.conflicts(of: changes) { try fetch.snapshots(of: $0, connection) })
        }
    }

    private func attempt(
        _ changes: ChangeSet, _ connection: Connection, _ beforeCommit: (SavedRows) throws -> Void
    ) throws -> SavedRows {
        do {
            return try attempt(changes, .trusting, connection, beforeCommit)
        } catch is CollidingInsertion {
            do {
                return try attempt(changes, .byConstraints, connection, beforeCommit)
            } catch let collision as CollidingInsertion {
                throw collision.violation
            }
        }
    }

    private func attempt(
        _ changes: ChangeSet, _ matching: SaveAttempt.Matching, _ connection: Connection,
        _ beforeCommit: (SavedRows) throws -> Void
    ) throws -> SavedRows {
        try attempt(changes, connection, writing: { try $0.run(matching) }, beforeCommit: beforeCommit)
    }

    func attempt(
        _ changes: ChangeSet, _ connection: Connection, writing write: (inout SaveAttempt) throws -> SavedRows,
        beforeCommit: (SavedRows) throws -> Void
    ) throws -> SavedRows {
        var attempt = SaveAttempt(runner: self, changes: changes, connection: connection)
        defer { attempt.history?.finish() }
        var isWritten = false
        do {
            let saved = try connection.inTransaction(.immediate) {
                attempt.commitMarker = changes.bulkDelete == nil ? nil : try connection.commitMarker()
                let rows = try write(&attempt)
                if !attempt.writer.newFiles.isEmpty { try externalData?.synchronizeFolder() }
                try beforeCommit(rows)
                isWritten = true
                return rows
            }
            externalData?.removeUnreferenced(attempt.obsoleteFiles)
            return saved
        } catch {
            // A failed commit may turn out to be complete when the file is opened again; then its files must exist.
            if !isWritten { externalData?.remove(attempt.writer.newFiles) }
            throw error
        }
    }

    var mayHaveFiles: Bool { externalData != nil && hasExternal }

    /// Whether files may be removed after the commit, which must then be durable: otherwise the rows could revert to
    /// their former state without their files.
    private func mayDropFiles(_ changes: ChangeSet) -> Bool {
        guard mayHaveFiles else { return false }
        if changes.bulkDelete != nil { return true }
        return changes.deletions.contains { plans[$0.entityIndex].hasExternal }
            || changes.updates.contains { plans[$0.entityIndex].writesExternal($0.changedSlots) }
            || changes.insertions.contains { insertion in
                let plan = plans[insertion.entityIndex]
                return plan.hasExternal && !plan.storage.uniqueColumns.isEmpty
            }
    }
}

extension SaveRunner {
    /// - Returns: `nil` for a request that is not recoverable.
    func archiveOptions(_ request: DeleteRequest) -> ArchiveOptions? {
        request.recovery.token.map {
            ArchiveOptions(token: $0, author: request.author, externalData: externalData)
        }
    }
}

/// An insertion violates a constraint. Never thrown by the runner.
struct CollidingInsertion: Error {
    let violation: UniqueViolation
}
