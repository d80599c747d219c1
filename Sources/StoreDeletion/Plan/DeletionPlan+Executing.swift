import ObjectGraph

extension DeletionPlan {
    /// Estimates the bytes that the deletion frees and the files that it removes, and lists the statements that it executes.
    /// - Returns: The estimate for the plan as it was made.
    /// - Throws: Errors of reading the stores.
    /// - Complexity: A few statements for each entity; reads the size of each file of a large value.
    public func cost() throws -> Cost {
        try deletion.host.mappingErrors { Cost(try deletion.cost(of: plan)) }
    }

    /// Deletes exactly the rows of the plan and clears exactly its links, without going through a context. Unsaved changes of
    /// contexts stay unsaved.
    ///
    /// Several stores are written before any of them commits: an error in one leaves all unchanged. Every live context merges a
    /// plan of SwiftData. A plan of Core Data is carried out with the options of its request, and contexts merge it if the
    /// request's `mergesIntoLiveContexts` is set.
    /// - Returns: The token of the archived rows; `nil` unless the plan is that of an `NSBatchDeleteRequest` with `archivesRows`.
    /// - Throws: `DeletionError`: `storeChanged` (134070) if the same deletion would have another effect; `refused` (1600, 1570 or
    ///   1580; 1560 for several) if a delete rule forbids it; `tooManyRows` (134070) beyond the request's `deletionLimit`;
    ///   `readOnly` (513). Nothing is deleted then. Errors of the delegate, and of reading and writing.
    /// - Complexity: The plan is made again inside the transaction unless nothing was written since; then a few statements for
    ///   each entity.
    @discardableResult
    public func execute() throws -> DeletionToken? { try execute(archiving: deletion.archivesRows) }

    /// Carries out the plan and archives the deleted rows, their links, and the links that other rows lose, in the stores' files
    /// until they are restored or discarded.
    /// - Returns: The token that restores them; `nil` for a plan that deletes nothing.
    /// - Throws: `DeletionError`: `storeChanged` (134070) if the same deletion would have another effect; `refused` (1600, 1570 or
    ///   1580; 1560 for several) if a delete rule forbids it; `tooManyRows` (134070) beyond the request's `deletionLimit`;
    ///   `readOnly` (513). Nothing is deleted then. Errors of the delegate, and of reading and writing.
    /// - Complexity: The cost of `execute()`, and each deleted row is written once more.
    public func executeAndArchive() throws -> DeletionToken? { try execute(archiving: true) }

    private func execute(archiving: Bool) throws -> DeletionToken? {
        try deletion.host.mappingErrors { DeletionToken(try deletion.execute(plan, archiving: archiving)) }
    }

    /// Registers a long deletion of the plan's rows, to be carried out in chunks that each stay within the options' budgets.
    ///
    /// From here on it can be resumed by its identifier. Nothing is deleted yet: call ``LongDeletion/run()`` or iterate
    /// ``LongDeletion/updates``.
    /// - Parameter options: budgets of the chunks, and whether they are archived.
    /// - Returns: The long deletion.
    /// - Throws: `DeletionError`: `storeChanged` (134070); `refused` (1600, 1570 or 1580; 1560 for several); `tooManyRows` (134070)
    ///   beyond the request's `deletionLimit`; `severalStores` (134070) if the rows are in several stores; `notEnoughDisk` (640) if
    ///   the disk lacks space for the writes of a chunk; `notSupported` (134091) for a store that has no long deletions; `readOnly`
    ///   (513). Nothing is started then.
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
