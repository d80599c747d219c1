import ObjectGraph

extension SQLiteStore {
    package func plan(_ request: DeleteRequest) throws -> DeletePlan {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try saveRunner.deleteRunner.plan(request, connection) }
        }
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
            guard try saveRunner.deleteRunner.plan(request, connection) == plan else { throw DeleteError.storeMoved }
            return plan
        } request: {
            request
        }
    }

    /// The statements that would carry out a plan now.
    package func steps(for plan: DeletePlan) throws -> [DeleteStep] {
        try pool.withReader { try saveRunner.deleteRunner.steps(for: plan, $0) }
    }

    /// Makes a plan and carries it out in one transaction.
    private func writing(
        _ plan: (Connection) throws -> DeletePlan, request: () -> DeleteRequest
    ) throws -> DeleteResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            var run = DeleteRun(runner: saveRunner, request: request())
            guard saveRunner.mayHaveFiles else { return try run.run(connection, plan) }
            return try connection.withDurableCommits { try run.run(connection, plan) }
        }
    }
}

/// One delete in a transaction of its own.
private struct DeleteRun {
    let runner: SaveRunner
    let request: DeleteRequest

    mutating func run(_ connection: Connection, _ plan: (Connection) throws -> DeletePlan) throws -> DeleteResult {
        var files: [String] = []
        let result = try connection.inTransaction(.immediate) {
            let plan = try plan(connection)
            guard plan.refusals.isEmpty else { throw DeleteError.refused(plan.refusals) }
            guard !plan.isEmpty else { return DeleteResult(plan) }
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
        runner.externalData?.remove(files)
        return result
    }
}
