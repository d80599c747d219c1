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
        } author: {
            request.author
        }
    }

    /// - Parameter observer: told of the rows before they are committed, and of the commit.
    /// - Throws: `DeleteError`, and what the observer throws; nothing is written then.
    package func delete(_ request: DeleteRequest, observer: any DeleteObserver) throws -> DeleteResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        let result = try pool.withWriter { connection in
            var run = DeleteRun(runner: saveRunner, author: request.author, observer: observer)
            return try run.run(connection) { try saveRunner.deleteRunner.plan(request, $0) }
        }
        if !result.plan.isEmpty { observer.didCommit(result) }
        return result
    }

    package func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult {
        try writing { connection in
            guard try saveRunner.deleteRunner.plan(request, connection) == plan else { throw DeleteError.storeMoved }
            return plan
        } author: {
            request.author
        }
    }

    /// The statements that would carry out a plan now.
    package func steps(for plan: DeletePlan) throws -> [DeleteStep] {
        try pool.withReader { try saveRunner.deleteRunner.steps(for: plan, $0) }
    }

    /// Makes a plan and carries it out in one transaction.
    private func writing(
        _ plan: (Connection) throws -> DeletePlan, author: () -> String?
    ) throws -> DeleteResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        return try pool.withWriter { connection in
            var run = DeleteRun(runner: saveRunner, author: author())
            return try run.run(connection, plan)
        }
    }
}

/// One delete in a transaction of its own.
struct DeleteRun {
    let runner: SaveRunner
    let author: String?
    /// Called when all is written, or there is nothing to write; what it throws takes the transaction back.
    var beforeCommit: (DeleteResult) throws -> Void = { _ in }
    /// Told of the rows before that. Whoever lent the connection tells it of the commit.
    let observer: (any DeleteObserver)?

    init(runner: SaveRunner, author: String?, observer: (any DeleteObserver)? = nil) {
        self.runner = runner
        self.author = author
        self.observer = observer
    }

    /// Identifiers an observer is told of at a time.
    private static let pageSize = 10_000

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
            if let observer {
                for page in plan.deleted.pages(of: Self.pageSize) { try observer.willCommit(page) }
            }
            try beforeCommit(result)
            return result
        }
        runner.externalData?.remove(files)
        return result
    }

    private func write(_ plan: DeletePlan, _ files: inout [String], _ connection: Connection) throws -> DeleteResult {
        var keys = KeyAllocator()
        var history = try runner.history.map {
            try HistoryWriter($0, author: author, changeCount: 0, keys: &keys, connection)
        }
        defer { history?.finish() }
        files = try runner.deleteRunner.run(plan, history: &history, keys: &keys, connection)
        try keys.write(names: HistoryLayout.names, connection)
        return DeleteResult(plan, transactionNumber: history?.number)
    }
}
