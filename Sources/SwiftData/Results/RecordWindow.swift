import ObjectGraph

/// Results as records, of which objects are made when they are accessed. Later changes do not affect them. Confined to the
/// context.
struct RecordWindow<Element: PersistentModel>: ResultsWindow {
    /// The source of the records.
    enum Source {
        case records([Record])
        /// Frozen results, and those that they were, which are maintained as long as these are in use.
        case frozen(FrozenResults, MaintainedResults)
    }

    let source: Source
    let context: ModelContext

    var count: Int {
        switch source {
        case .records(let records): records.count
        case .frozen(let frozen, _): frozen.count
        }
    }

    /// A model that has since been deleted has its last values, or empty ones if the program does not hold it.
    subscript(position: Int) -> Element {
        precondition(position >= 0 && position < count, "Index \(position) is not among the \(count) results.")
        guard let record = record(at: position) else { return Element.makeDetached() }
        return context.graph.object(of: record, madeBy: context) as? Element ?? Element.makeDetached()
    }

    private func record(at position: Int) -> Record? {
        switch source {
        case .records(let records): records[position]
        case .frozen(let frozen, let results): results.queries.record(at: position, of: frozen)
        }
    }
}
