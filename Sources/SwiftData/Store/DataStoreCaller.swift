import ObjectGraph

/// Who asks a store of a program's own, and what for: of the context and its descriptor the engine's calls know nothing.
/// Seen by what is called on the same thread.
struct DataStoreCaller: @unchecked Sendable {
    // The graph and the descriptor never leave the thread that asks.
    let graph: Graph
    let editingState: EditingState
    /// A fetch that is being carried out.
    var asked: AskedFetch?

    struct AskedFetch {
        /// A `FetchDescriptor`.
        let descriptor: Any
        /// How the engine has it.
        let query: Query
    }

    @TaskLocal static var current: DataStoreCaller?
}

extension ModelContext {
    /// Runs what asks the stores for this context.
    func asking<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard core.hasDataStores, DataStoreCaller.current?.graph !== graph else { return try body() }
        let caller = DataStoreCaller(graph: graph, editingState: editingState)
        return try DataStoreCaller.$current.withValue(caller, operation: body)
    }

    /// Runs the query of a descriptor, which stores of a program's own are handed as it is.
    func asking<T: PersistentModel, Result>(
        _ descriptor: FetchDescriptor<T>, _ query: Query, _ body: () throws -> Result
    ) rethrows -> Result {
        guard core.hasDataStores else { return try body() }
        var caller = DataStoreCaller(graph: graph, editingState: editingState)
        caller.asked = DataStoreCaller.AskedFetch(descriptor: descriptor, query: query)
        return try DataStoreCaller.$current.withValue(caller, operation: body)
    }
}
