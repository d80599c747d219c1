import ObjectGraph

extension SQLiteStore: StoreChecking {
    /// Checks the whole file, in one reading transaction. Changes nothing.
    /// - Parameter meter: Receives the progress.
    /// - Throws: `SQLiteError`, `ExternalDataError`.
    package func check(_ meter: ProgressMeter) throws -> [StoreFinding] {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try checker(connection).findings(meter) }
        }
    }

    package func check() throws -> [StoreFinding] { try check(ProgressMeter()) }

    /// Plans the repair that `repair` would carry out. Changes nothing, and works with a read-only store, too.
    /// - Throws: `SQLiteError`, `ExternalDataError`.
    package func repairPlan() throws -> StoreRepairPlan {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try repairPlan(connection) }
        }
    }

    package func plannedRepair() throws -> any PlannedRepair { StoreRepairOfFile(store: self, plan: try repairPlan()) }

    /// Carries out the plan in one transaction, completely or not at all. An empty plan writes nothing. Contexts are not
    /// notified of the changes: repair a store before contexts use it.
    /// - Throws: `StoreRepairError.outdatedPlan` if the store has changed since the plan was made,
    ///   `StoreAccessError.readOnly`, `SQLiteError`, `ExternalDataError`.
    package func repair(_ plan: StoreRepairPlan) throws -> StoreRepairResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        if plan.isEmpty { return StoreRepairResult() }
        let files = plan.steps.flatMap { step in
            if case .removeFiles(let names) = step.action { names } else { [String]() }
        }
        return try pool.withWriter { connection in
            // Files are removed after the commit. If the commit were lost later, rows would refer to files that are gone.
            var result =
                files.isEmpty
                ? try repair(plan, connection)
                : try connection.withDurableCommits { try repair(plan, connection) }
            result.remainingFiles = saveRunner.externalData?.removeUnreferenced(files) ?? []
            result.removedFiles = files.count - result.remainingFiles.count
            return result
        }
    }

    private func repair(_ plan: StoreRepairPlan, _ connection: Connection) throws -> StoreRepairResult {
        try connection.inTransaction(.immediate) {
            let now = try repairPlan(connection)
            guard now.steps == plan.steps else { throw StoreRepairError.outdatedPlan }
            var repair = StoreRepair(runner: saveRunner, connection: connection)
            return try repair.run(plan)
        }
    }

    private func repairPlan(_ connection: Connection) throws -> StoreRepairPlan {
        try RepairPlanner(checker: checker(connection), sharesFolder: sharesFolder).plan()
    }

    /// Whether another store may use the same folder of large values.
    private var sharesFolder: Bool { ownURL.map { !StoreFiles.neighbours(of: $0).isEmpty } ?? false }

    private func checker(_ connection: Connection) -> StoreChecker {
        StoreChecker(
            layout: CheckLayout(map), spaces: spaces, externalData: saveRunner.externalData,
            history: saveRunner.history, connection: connection)
    }
}

/// A repair plan with its store.
private struct StoreRepairOfFile: PlannedRepair {
    let store: SQLiteStore
    let plan: StoreRepairPlan

    var stepTexts: [String] { plan.steps.map(\.description) }
    var unrepairableTexts: [String] { plan.unrepairable.map(\.description) }
    var isEmpty: Bool { plan.isEmpty }
    var description: String { plan.description }

    func execute() throws { _ = try store.repair(plan) }
}
