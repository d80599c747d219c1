import ObjectGraph

extension SQLiteStore {
    package func plan(_ request: DeleteRequest) throws -> DeletePlan {
        // Taken before: what is written in between makes the plan count as outdated, never as good.
        let moment = isReadOnly ? nil : try pool.withWriter { try $0.moment() }
        var plan = try pool.withReader { connection in
            try connection.inTransaction(.reading) { try saveRunner.deleteRunner.plan(request, connection) }
        }
        plan.moment = moment
        return plan
    }

    package func delete(_ request: DeleteRequest) throws -> DeleteResult {
        try writing {
            try saveRunner.deleteRunner.plan(request, $0)
        } request: {
            request
        }
    }

    package func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult {
        try writing { connection in
            if let moment = plan.moment, try connection.moment() == moment { return plan }
            var now = try saveRunner.deleteRunner.plan(request, connection)
            now.moment = plan.moment
            guard now == plan else { throw DeleteError.storeMoved }
            return plan
        } request: {
            request
        }
    }

    package func cost(of plan: DeletePlan) throws -> DeleteCost {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) {
                try DeleteEstimate(runner: saveRunner, connection: connection).cost(of: plan)
            }
        }
    }

    /// Makes a plan and carries it out in one transaction.
    private func writing(
        _ plan: (Connection) throws -> DeletePlan, request: () -> DeleteRequest
    ) throws -> DeleteResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            try watcher.recordingSave { willCommit in
                var run = DeleteRun(runner: saveRunner, request: request())
                run.beforeCommit = { willCommit($0.transactionNumber) }
                return try run.run(connection, plan)
            }
        }
    }
}

/// One delete in a transaction of its own.
struct DeleteRun {
    let runner: SaveRunner
    let request: DeleteRequest
    /// Called when all is written, or there is nothing to write; what it throws takes the transaction back.
    var beforeCommit: (DeleteResult) throws -> Void = { _ in }

    init(runner: SaveRunner, request: DeleteRequest) {
        self.runner = runner
        self.request = request
    }

    /// - Parameter plan: called within the transaction.
    mutating func run(_ connection: Connection, _ plan: (Connection) throws -> DeletePlan) throws -> DeleteResult {
        guard runner.mayHaveFiles else { return try transact(connection, plan) }
        return try connection.withDurableCommits { try transact(connection, plan) }
    }

    private mutating func transact(
        _ connection: Connection, _ plan: (Connection) throws -> DeletePlan
    ) throws -> DeleteResult {
        var files: [String] = []
        let result = try connection.inTransaction(.immediate) {
            let plan = try plan(connection)
            guard plan.refusals.isEmpty else { throw DeleteError.refused(plan.refusals) }
            let result = plan.isEmpty ? DeleteResult(plan) : try write(plan, &files, connection)
            try beforeCommit(result)
            return result
        }
        runner.externalData?.remove(files)
        return result
    }

    private func write(_ plan: DeletePlan, _ files: inout [String], _ connection: Connection) throws -> DeleteResult {
        var keys = KeyAllocator()
        var history = try runner.history.map {
            try HistoryWriter($0, author: request.author, changeCount: 0, keys: &keys, connection)
        }
        defer { history?.finish() }
        files = try runner.deleteRunner.run(
            plan, keeping: runner.keeping(request), history: &history, keys: &keys, connection)
        try keys.write(names: HistoryLayout.names, connection)
        var result = DeleteResult(plan, transactionNumber: history?.number)
        result.token = request.recovery.token
        return result
    }
}
