import ObjectGraph

/// A context as the caller of stores of a program's own. Apart from it, so that a context that goes away can still save.
final class DataStoreCaller {
    let graph: Graph
    var editingState: EditingState

    init(_ graph: Graph, _ editingState: EditingState) {
        self.graph = graph
        self.editingState = editingState
    }

    /// The caller of what runs on this thread.
    static var current: DataStoreCaller? { StoreCall.current?.context as? DataStoreCaller }
}

extension ModelContext {
    /// Runs the query of a descriptor, which stores of a program's own are handed as it is.
    func asking<T: PersistentModel, Result>(
        _ descriptor: FetchDescriptor<T>, _ query: Query, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let dataStoreCaller else { return try body() }
        return try StoreCall.with(StoreCall.Request(descriptor, query), of: dataStoreCaller, body)
    }
}
