/// The state of a context, to find out whether anything has happened in it since.
struct ContextMarker: Equatable {
    private let edits: Int
    private let merges: Int
    private let others: Int

    init(_ context: ModelContext) {
        edits = context.graph.editCount
        merges = context.graph.mergeCount
        others = context.followers.count
    }
}
