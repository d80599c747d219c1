import ObjectGraph
import StoreSQL

extension SQLiteStore {
    package func commitMarker() throws -> CommitMarker? {
        isReadOnly ? nil : try pool.withWriter { try $0.commitMarker() }
    }

    package func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try body(saveRunner.deleteRunner.reader(connection)) }
        }
    }

    package func plan(_ request: DeleteRequest) throws -> DeletePlan {
        try pool.withReader { connection in
            try connection.metered(request.meter) {
                try connection.inTransaction(.reading) { try saveRunner.deleteRunner.plan(request, connection) }
            }
        }
    }

    package func delete(
        _ request: DeleteRequest, beforeCommit: (SavedRows) throws -> Void
    ) throws -> SavedRows {
        try writing(request, beforeCommit) { try saveRunner.deleteRunner.plan(request, $0) }
    }

    /// - Parameter observer: Notified of the rows before the commit, and of the commit.
    /// - Throws: `DeleteError`, and the errors of the observer; then nothing is written.
    package func delete(_ request: DeleteRequest, observer: any DeleteObserver) throws -> SavedRows {
        var request = request
        request.observer = observer
        return try delete(request)
    }

    package func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> SavedRows {
        try writing(request, { _ in }) { connection in
            if let known = request.known, known.plan == plan, try connection.commitMarker() == known.commitMarker {
                return plan
            }
            guard try saveRunner.deleteRunner.plan(request, connection) == plan else { throw DeleteError.storeMoved }
            return plan
        }
    }

    package func cost(of plan: DeletePlan) throws -> DeleteCost {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                try DeleteEstimate(runner: saveRunner, connection: connection).cost(of: plan)
            }
        }
    }

    /// Plans and carries out a delete in one transaction.
    private func writing(
        _ request: DeleteRequest, _ beforeCommit: (SavedRows) throws -> Void,
        _ plan: (Connection) throws -> DeletePlan
    ) throws -> SavedRows {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        let result = try pool.withWriter { connection in
            try connection.metered(request.meter) {
                try watcher.recordingSave { willCommit in
                    try withoutActuallyEscaping(beforeCommit) { beforeCommit in
                        var run = DeleteRun(runner: saveRunner, request: request)
                        run.beforeCommit = { result, _ in
                            try beforeCommit(result)
                            willCommit(result.transactionNumber)
                        }
                        return try run.run(connection, plan)
                    }
                }
            }
        }
        if !result.plan.isEmpty { request.observer?.didCommit(result) }
        return result
    }
}

/// One delete in a transaction of its own.
struct DeleteRun {
    let runner: SaveRunner
    let request: DeleteRequest
    /// Called when everything is written, or when there is nothing to write, with the files to be removed after the
    /// commit. An error thrown here rolls the transaction back.
    var beforeCommit: (SavedRows, _ files: [String]) throws -> Void = { _, _ in }

    /// Files of deleted rows that could not be removed.
    private(set) var remainingFiles: [String] = []

    init(runner: SaveRunner, request: DeleteRequest) {
        self.runner = runner
        self.request = request
    }

    /// - Parameter plan: Called within the transaction.
    mutating func run(_ connection: Connection, _ plan: (Connection) throws -> DeletePlan) throws -> SavedRows {
        guard runner.mayHaveFiles else { return try transact(connection, plan) }
        return try connection.withDurableCommits { try transact(connection, plan) }
    }

    private mutating func transact(
        _ connection: Connection, _ plan: (Connection) throws -> DeletePlan
    ) throws -> SavedRows {
        var files: [String] = []
        let result = try connection.inTransaction(.immediate) {
            let plan = try plan(connection)
            guard plan.refusals.isEmpty else { throw DeleteError.refused(plan.refusals) }
            let result = plan.isEmpty ? SavedRows(plan) : try write(plan, &files, connection)
            // The caller that lent the connection notifies the observer of the commit.
            try request.observer?.willCommit(pagesOf: plan.deleted)
            try beforeCommit(result, files)
            return result
        }
        remainingFiles = runner.externalData?.removeUnreferenced(files) ?? []
        return result
    }

    private func write(_ plan: DeletePlan, _ files: inout [String], _ connection: Connection) throws -> SavedRows {
        var keys = KeyAllocator()
        var history = try runner.history.map {
            try HistoryWriter(
                $0, author: request.author, contextName: request.contextName, changeCount: 0, keys: &keys, connection)
        }
        defer { history?.finish() }
        files = try runner.deleteRunner.run(
            plan, archiving: runner.archiveOptions(request), meter: request.meter, history: &history, keys: &keys,
            connection)
        try keys.write(names: HistoryLayout.names, connection)
        var result = SavedRows(plan, transactionNumber: history?.number)
        result.token = request.recovery.token
        return result
    }
}
