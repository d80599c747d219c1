/// A store of which rows are asked and to which they are saved, and no more: deletes of sets of rows go past it, to the
/// SQLite stores themselves.
package protocol StoreOfRows: Store {}

extension StoreOfRows {
    package func moment() throws -> StoreMoment? { nil }
    package func readForDelete<Result>(_ body: (any DeleteReading) throws -> Result) throws -> Result {
        throw ObjectStoreError.rowsOnly
    }
    package func plan(_ request: DeleteRequest) throws -> DeletePlan { throw ObjectStoreError.rowsOnly }
    package func cost(of plan: DeletePlan) throws -> DeleteCost { throw ObjectStoreError.rowsOnly }
    package func delete(_ request: DeleteRequest) throws -> DeleteResult { throw ObjectStoreError.rowsOnly }
    package func execute(_ plan: DeletePlan, of request: DeleteRequest) throws -> DeleteResult {
        throw ObjectStoreError.rowsOnly
    }
}

/// What a store of rows does not do. Nothing was written.
package enum ObjectStoreError: Error, Hashable {
    case readOnly(store: String)
    /// A delete by query, which such a store cannot plan.
    case rowsOnly
}

extension ObjectStoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .readOnly(let store): "Store \(store) was opened for reading only; nothing was written."
        case .rowsOnly: "The store cannot delete rows by query; delete the objects, or ask its parts one by one."
        }
    }
}
