import Foundation
import ObjectGraph
import SQLiteStore

extension ModelContainer {
    /// Starts a delete that is carried out in chunks, each of which costs no more than the options allow. From here on it
    /// can be resumed by its identifier; nothing is deleted yet.
    /// - Throws: `CocoaError` 1600, 1570 or 1580 (1560 for several) when something stands in the way,
    ///   `DeletionError.cannotBePlanned` for models of several stores, `DeletionError.notEnoughDisk`.
    public func startDeletion(
        _ plan: DeletionPlan, options: DeletionOptions = DeletionOptions()
    ) throws -> LongDeletion {
        let (store, request) = try core.request(of: plan)
        let announcer = ChunkAnnouncer(core)
        return try mapping {
            LongDeletion(try store.startJob(request, options.jobOptions, observer: announcer), announcer)
        }
    }

    /// Long deletes that were started, here or in another process, and neither finished nor dropped.
    /// - Throws: What reading the stores throws.
    public func unfinishedDeletions() throws -> [UnfinishedDeletion] {
        try core.sqliteStores.flatMap { try $0.jobs() }.map(UnfinishedDeletion.init)
    }

    /// Goes on with a long delete that was stopped, or whose process ended.
    /// - Throws: As `startDeletion(_:options:)`; `DeletionError.unknownDeletion` for an identifier that no store has.
    public func resumeDeletion(_ id: UUID) throws -> LongDeletion {
        let store = try store(ofDeletion: id)
        let announcer = ChunkAnnouncer(core)
        return try mapping { LongDeletion(try store.resumeJob(id, observer: announcer), announcer) }
    }

    /// Forgets a long delete. What it did stays done.
    /// - Throws: `DeletionError.unknownDeletion`.
    public func dropDeletion(_ id: UUID) throws {
        let store = try store(ofDeletion: id)
        try mapping { try store.dropJob(id) }
    }

    private func store(ofDeletion id: UUID) throws -> SQLiteStore {
        guard let store = try core.sqliteStores.store(ofJob: id) else { throw DeletionError.unknownDeletion(id) }
        return store
    }

    func mapping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw ErrorMapping.saving(error)
        }
    }
}

/// A long delete that waits to be resumed or dropped.
public struct UnfinishedDeletion: Sendable, Hashable, Identifiable {
    public let id: UUID
    public let started: Date
    public let author: String?
    public let done: Int
    public let total: Int

    init(_ record: DeleteJobRecord) {
        id = record.id
        started = record.created
        author = record.author
        done = record.rowsDone
        total = record.rowsTotal
    }
}

extension ContainerCore {
    /// The one store that has all the models of a plan, and the request as that store understands it: a store of several
    /// numbers its entities by itself.
    func request(of plan: DeletionPlan) throws -> (store: SQLiteStore, request: DeleteRequest) {
        var request = plan.request
        if case .rows = request.roots { request.roots = .rows(plan.plan.roots) }
        let shares = try (store as? StoreSet)?.shares(request) ?? []
        if shares.count > 1 {
            throw DeletionError.cannotBePlanned(
                "its models are in several stores; delete those of one after the other.")
        }
        guard let found = shares.first?.store as? SQLiteStore ?? sqliteStores.first else {
            throw DeletionError.cannotBePlanned("the store cannot delete in chunks.")
        }
        return (found, shares.first?.request ?? request)
    }
}
