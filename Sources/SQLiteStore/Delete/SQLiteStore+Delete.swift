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
        } author: {
            request.author
        }
    }

    package func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult {
        try writing { connection in
            if let moment = plan.moment, try connection.moment() == moment { return plan }
            var now = try saveRunner.deleteRunner.plan(request, connection)
            now.moment = plan.moment
            guard now == plan else { throw DeleteError.storeMoved }
            return plan
        } author: {
            request.author
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
        _ plan: (Connection) throws -> DeletePlan, author: () -> String?
    ) throws -> DeleteResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            try watcher.recordingSave { willCommit in
                let run = DeleteRun(runner: saveRunner, author: author())
                guard saveRunner.mayHaveFiles else { return try run.run(connection, plan, willCommit) }
                return try connection.withDurableCommits { try run.run(connection, plan, willCommit) }
            }
        }
    }
}

/// One delete in a transaction of its own.
private struct DeleteRun {
    let runner: SaveRunner
    let author: String?

    /// - Parameter willCommit: told of the history transaction's number before the commit.
    func run(
        _ connection: Connection, _ plan: (Connection) throws -> DeletePlan, _ willCommit: (Int64?) -> Void
    ) throws -> DeleteResult {
        var files: [String] = []
        let result = try connection.inTransaction(.immediate) {
            let plan = try plan(connection)
            guard plan.refusals.isEmpty else { throw DeleteError.refused(plan.refusals) }
            guard !plan.isEmpty else { return DeleteResult(plan) }
            var keys = KeyAllocator()
            var history = try runner.history.map {
                try HistoryWriter($0, author: author, changeCount: 0, keys: &keys, connection)
            }
            defer { history?.finish() }
            files = try runner.deleteRunner.run(plan, history: &history, keys: &keys, connection)
            try keys.write(names: HistoryLayout.names, connection)
            willCommit(history?.number)
            return DeleteResult(plan, transactionNumber: history?.number)
        }
        runner.externalData?.remove(files)
        return result
    }
}
