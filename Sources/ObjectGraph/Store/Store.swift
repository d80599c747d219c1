/// Where rows live. A store knows rows, keys and versions; it knows no objects. Every call may come from any thread and
/// returns when its work is done.
package protocol Store: RowReading {
    /// The store's UUID as upper-case text.
    var identifier: String { get }
    var model: Model { get }
    var isReadOnly: Bool { get }
    /// Whether transient attributes are kept like others, as by a graph that stands behind another one.
    var keepsTransients: Bool { get }
    /// What opening found that will make deletes slow.
    var openingWarnings: [DeleteRuleWarning] { get }

    /// The identity of a row of this store.
    func objectID(entity: Entity, key: Int64) -> ObjectID

    /// What others saved into the store since this was last asked, by identity. Cheap while nobody did.
    func changesByOthers() throws -> SavedChanges

    /// One transaction: all of it, or nothing.
    func save(_ changes: ChangeSet) throws -> SaveResult

    /// The state it is in now; `nil` where it cannot tell.
    func moment() throws -> StoreMoment?

    /// Reads for plans that lay other work over the store, all of it in one state of the store.
    /// - Parameter body: must ask nothing else of the store.
    func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result

    /// What a delete would do now.
    func plan(_ request: DeleteRequest) throws -> DeletePlan

    /// What carrying out a plan would cost and free now.
    func cost(of plan: DeletePlan) throws -> DeleteCost

    /// Plans and carries out a delete in one transaction, past any context.
    /// - Throws: `DeleteError`; nothing is written then.
    func delete(_ request: DeleteRequest) throws -> DeleteResult

    /// Deletes what a query picks, past any context, where no rule concerns it and nobody asks which rows they were.
    /// - Returns: how many; `nil`, and nothing is deleted, where it must be known which they are: the entity has
    ///   relationships or is the destination of one, its values are in files, the query has a limit or an offset, or the
    ///   store keeps history.
    /// - Complexity: One statement.
    func deleteUnseen(_ query: Query) throws -> Int?

    /// Carries out a plan made before.
    /// - Throws: `DeleteError.storeMoved` when the same request would now do something else; nothing is written then.
    func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult
}

/// A delete that was done.
package struct DeleteResult: Sendable {
    package var plan: DeletePlan
    /// Number of the history transaction, when one was written.
    package var transactionNumber: Int64?
    /// What it can be taken back by, when it was to be kept and took anything.
    package var token: RecoveryToken?

    package init(_ plan: DeletePlan, transactionNumber: Int64? = nil) {
        self.plan = plan
        self.transactionNumber = transactionNumber
    }
}

extension Store {
    package var openingWarnings: [DeleteRuleWarning] { [] }
    package var keepsTransients: Bool { false }
    package func deleteUnseen(_ query: Query) throws -> Int? { nil }

    package func objectID(entity: Entity, key: Int64) -> ObjectID {
        ObjectID(space: .intern(storeIdentifier: identifier, entityName: entity.name), key: key)
    }
}
