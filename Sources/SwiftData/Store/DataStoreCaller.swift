import ObjectGraph

/// A context as the caller of stores of the program's own classes. Separate from the context, so that a context that is
/// being released can still save.
final class DataStoreCaller {
    let graph: Graph
    var editingState: EditingState

    init(_ graph: Graph, _ editingState: EditingState) {
        self.graph = graph
        self.editingState = editingState
    }

    /// The caller of the code that runs on this thread.
    static var current: DataStoreCaller? { StoreCall.current?.context as? DataStoreCaller }
}

extension ModelContext {
    /// Runs the query of a descriptor. Stores of the program's own classes receive the descriptor itself.
    func asking<T: PersistentModel, Result>(
        _ descriptor: FetchDescriptor<T>, _ query: Query, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let dataStoreCaller else { return try body() }
        return try StoreCall.with(StoreCall.Request(descriptor, query), of: dataStoreCaller, body)
    }
}
