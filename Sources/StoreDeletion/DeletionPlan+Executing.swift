import ObjectGraph

extension DeletionPlan {
    /// The bytes it would free, the files that would go, and the statements that would be run.
    /// - Throws: What reading the stores throws.
    /// - Complexity: A few statements for each entity, and the size of each file of a large value is read.
    public func cost() throws -> Cost {
        try deletion.host.mappingErrors { Cost(try deletion.cost(of: plan)) }
    }

    /// Does exactly what the plan says, past all contexts. Unsaved work of contexts stays unsaved.
    ///
    /// Several stores are written before any of them commits: an error in one leaves all as they were. Every live context
    /// takes in a plan of SwiftData; one of Core Data is carried out with the options of its request, and contexts take it in if
    /// `mergesIntoLiveContexts` is set.
    /// - Returns: The token of what was archived; `nil` unless an `NSBatchDeleteRequest` asked for that (`archivesRows`).
    /// - Throws: `DeletionError`: `storeChanged` (134070) when the same deletion would now do something else; `refused` (1600,
    ///   1570 or 1580; 1560 for several) when a delete rule forbids it; `readOnly` (513). Nothing is deleted then. What the
    ///   delegate throws, and what reading and writing throws.
    /// - Complexity: The plan is made again inside the transaction unless nothing was written since; then a few statements for
    ///   each entity.
    @discardableResult
    public func execute() throws -> DeletionToken? { try execute(archiving: deletion.archivesRows) }

    /// Does what the plan says, and archives the rows, their links, and the links that other rows lose in the stores' files,
    /// until they are restored or discarded.
    /// - Returns: The token to restore them by; `nil` for a plan that deletes nothing.
    /// - Throws: As `execute()`.
    /// - Complexity: As `execute()`, and every row that goes is written once more.
    public func executeAndArchive() throws -> DeletionToken? { try execute(archiving: true) }

    private func execute(archiving: Bool) throws -> DeletionToken? {
        try deletion.host.mappingErrors { DeletionToken(try deletion.execute(plan, archiving: archiving)) }
    }

    /// Starts a deletion that is carried out in chunks, each of which costs no more than the options allow. From here on it
    /// can be resumed by its identifier. Nothing is deleted yet.
    /// - Throws: `DeletionError`: as `execute()`; `severalStores` (134070) when the rows are in several stores; `notEnoughDisk`
    ///   (640) when the disk lacks room for what a chunk writes; `notSupported` (134091) for a store that cannot do it. Nothing
    ///   is started then.
    /// - Complexity: The plan is made again.
    public func start(options: DeletionOptions = DeletionOptions()) throws -> LongDeletion {
        try deletion.host.mappingErrors {
            if let limit = deletion.rowLimit, count > limit {
                throw DeleteError.tooManyRows(count: count, limit: limit)
            }
            if plan.isRefused { throw DeleteError.refused(plan.refusals) }
            let part = try deletion.partOfOneStore(plan)
            let announcer = ChunkAnnouncer(deletion.host, deletion.audience)
            let job = try part.store.startJob(
                part.request, options.jobOptions(archiving: deletion.archivesRows), observer: announcer,
                expecting: part.plan)
            return LongDeletion(job, announcer, deletion.host)
        }
    }
}
