import ObjectGraph

extension SQLiteStore {
    /// Everything wrong with the file, as of one moment. Nothing is changed.
    /// - Parameter meter: told how far it is.
    /// - Throws: `SQLiteError`, `ExternalDataError`.
    package func check(_ meter: WorkMeter = WorkMeter()) throws -> [StoreFinding] {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try checker(connection).findings(meter) }
        }
    }

    /// What `repair` would do now. Nothing is changed; a store that is read-only may be asked, too.
    /// - Throws: `SQLiteError`, `ExternalDataError`.
    package func repairPlan() throws -> StoreRepairPlan {
        try pool.withReader { connection in
            try connection.inTransaction(.reading) { try repairPlan(connection) }
        }
    }

    /// Carries out the plan, all of it or nothing. An empty plan writes nothing at all. Objects that are already in
    /// memory do not learn of it: repair before contexts are at work.
    /// - Throws: `StoreRepairError.outdatedPlan` when the store is no longer as it was planned for,
    ///   `StoreAccessError.readOnly`, `SQLiteError`, `ExternalDataError`.
    package func repair(_ plan: StoreRepairPlan) throws -> StoreRepairResult {
        guard !isReadOnly else { throw StoreAccessError.readOnly }
        if plan.isEmpty { return StoreRepairResult() }
        let files = plan.steps.flatMap { step in
            if case .removeFiles(let names) = step.action { names } else { [String]() }
        }
        return try pool.withWriter { connection in
            // A commit that was lost again would leave rows without the files removed after it.
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

    /// Whether the folder of large values may be another store's as well.
    private var sharesFolder: Bool { ownURL.map { !StoreFiles.neighbours(of: $0).isEmpty } ?? false }

    private func checker(_ connection: Connection) -> StoreChecker {
        StoreChecker(
            layout: CheckLayout(map), spaces: spaces, externalData: saveRunner.externalData,
            history: saveRunner.history, connection: connection)
    }
}
