import ObjectGraph

/// A store of which rows are asked and to which they are saved, and no more: deletes of sets of rows go past it, to the
/// SQLite stores themselves.
protocol StoreOfRows: Store {}

extension StoreOfRows {
    func moment() throws -> StoreMoment? { nil }
    func plan(_ request: DeleteRequest) throws -> DeletePlan { throw CoordinatorStoreError.asOne }
    func cost(of plan: DeletePlan) throws -> DeleteCost { throw CoordinatorStoreError.asOne }
    func delete(_ request: DeleteRequest) throws -> DeleteResult { throw CoordinatorStoreError.asOne }
    func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult {
        throw CoordinatorStoreError.asOne
    }
}
