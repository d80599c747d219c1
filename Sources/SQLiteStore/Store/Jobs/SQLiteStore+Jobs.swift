import Foundation
import ObjectGraph

/// Starts and resumes deletes that are too long for one transaction.
extension SQLiteStore: ChunkedDeleting {
    package func startJob(
        _ request: DeleteRequest, _ options: DeleteJobOptions, observer: (any DeleteObserver)?,
        expecting shown: DeletePlan?
    ) throws -> any ChunkedDelete {
        try startJob(request, options, observer: observer, expecting: shown, JobEnvironment())
    }

    package func resumeJob(_ id: UUID, observer: (any DeleteObserver)?) throws -> any ChunkedDelete {
        try resumeJob(id, observer: observer, JobEnvironment())
    }

    /// Starts a delete and returns the store's own job type, which can be run step by step.
    package func startJob(
        _ request: DeleteRequest, _ options: DeleteJobOptions = DeleteJobOptions(),
        observer: (any DeleteObserver)? = nil, expecting shown: DeletePlan? = nil
    ) throws -> DeleteJob {
        try startJob(request, options, observer: observer, expecting: shown, JobEnvironment())
    }

    func startJob(
        _ request: DeleteRequest, _ options: DeleteJobOptions, observer: (any DeleteObserver)? = nil,
        expecting shown: DeletePlan? = nil, _ environment: JobEnvironment
    ) throws -> DeleteJob {
        let since = try mark()
        let (plan, details) = try detailedPlan(request)
        if let shown, plan != shown { throw DeleteError.storeMoved }
        try checkDisk(plan, options, environment)
        let record = DeleteJobRecord(
            id: UUID(), author: request.author, created: Date(), options: options, counts: request.counts, rowsDone: 0,
            rowsTotal: plan.deleted.count, chunkCount: 0)
        var work = JobWork(record, roots: plan.roots, DeleteQueue(details.levels), since)
        if plan.isEmpty {
            work.progress.phase = .finished
        } else {
            try pool.withWriter { connection in
                try connection.inTransaction(.immediate) {
                    work.compare(with: try connection.commitMarker())
                    try JobTable(connection: connection).insert(record, roots: plan.roots, model)
                    work.mark = try connection.commitMarker()
                }
            }
        }
        return DeleteJob(self, record, work, observer, environment)
    }

    /// Returns the deletes that were started on this file, by any process, and neither finished nor dropped.
    package func jobs() throws -> [DeleteJobRecord] {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try JobTable(connection: connection).records() }
        }
    }

    /// Plans the remaining part of a delete by the current rows; refusals are part of the plan. Writes nothing.
    /// - Throws: `DeleteJobError.unknownJob`, `otherModel`, `damagedRecord`.
    package func plan(ofJob id: UUID) throws -> DeletePlan {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                let (record, roots) = try JobTable(connection: connection).job(id, spaces, model)
                return try DeletePlanner.detailedPlan(
                    Self.request(record, roots), saveRunner.deleteRunner.reader(connection)
                ).plan
            }
        }
    }

    private static func request(_ record: DeleteJobRecord, _ roots: RowSet) -> DeleteRequest {
        var request = DeleteRequest(.rows(roots))
        request.counts = record.counts
        return request
    }

    /// Resumes a delete and returns the store's own job type, which can be run step by step.
    package func resumeJob(_ id: UUID, observer: (any DeleteObserver)? = nil) throws -> DeleteJob {
        try resumeJob(id, observer: observer, JobEnvironment())
    }

    func resumeJob(
        _ id: UUID, observer: (any DeleteObserver)? = nil, _ environment: JobEnvironment
    ) throws -> DeleteJob {
        let since = try mark()
        let (found, roots, oldFiles) = try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                let table = JobTable(connection: connection)
                let (record, roots) = try table.job(id, spaces, model)
                return (record, roots, try table.oldFiles(id))
            }
        }
        let (plan, details) = try detailedPlan(Self.request(found, roots))
        try checkDisk(plan, found.options, environment)
        var record = found
        record.rowsTotal = record.rowsDone + plan.deleted.count
        let work = JobWork(record, roots: roots, DeleteQueue(details.levels), since, oldFiles: oldFiles)
        return DeleteJob(self, record, work, observer, environment)
    }

    /// Drops a delete. Finished chunks stay committed; a running job stops before its next chunk.
    /// - Throws: `DeleteJobError.unknownJob`.
    package func discardJob(_ id: UUID) throws {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        let oldFiles = try pool.withWriter { connection in
            try connection.inTransaction(.immediate) {
                let table = JobTable(connection: connection)
                let names = try table.oldFiles(id)
                try table.remove(id)
                return names
            }
        }
        saveRunner.externalData?.removeUnreferenced(oldFiles)
    }

    /// Drops the job of a restored delete, which would delete the restored rows again if it were resumed. A job that
    /// another process has dropped or finished meanwhile needs nothing.
    package func discardJobs(of token: RecoveryToken) throws {
        for job in try jobs() where RecoveryToken(uuid: job.id).delete == token.delete {
            do {
                try discardJob(job.id)
            } catch DeleteJobError.unknownJob {}
        }
    }

    private func checkDisk(_ plan: DeletePlan, _ options: DeleteJobOptions, _ environment: JobEnvironment) throws {
        guard options.freeDiskFactor > 0 else { return }
        let archiveSize =
            options.keeping == .none
            ? 0 : try pool.withReader { try DeleteEstimate(runner: saveRunner, connection: $0).archiveSize(of: plan) }
        try environment.checkDisk(
            location, options, rows: plan.deleted.count, archiveSize: archiveSize,
            recordsHistory: saveRunner.history != nil)
    }

    private func mark() throws -> CommitMarker {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            try connection.inTransaction(.reading) { try connection.commitMarker() }
        }
    }

    /// - Throws: `DeleteError.refused`.
    private func detailedPlan(_ request: DeleteRequest) throws -> (DeletePlan, DeleteDetails) {
        let (plan, details) = try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                try DeletePlanner.detailedPlan(request, saveRunner.deleteRunner.reader(connection))
            }
        }
        guard plan.refusals.isEmpty else { throw DeleteError.refused(plan.refusals) }
        return (plan, details)
    }
}
