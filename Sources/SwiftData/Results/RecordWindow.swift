import ObjectGraph

/// Results as records, of which objects are made when they are accessed. Confined to the context.
struct RecordWindow<Element: PersistentModel>: ResultsWindow {
    let records: [Record]
    let context: ModelContext

    var count: Int { records.count }

    /// A model that has since been deleted has its last values, or empty ones if the program does not hold it.
    subscript(position: Int) -> Element {
        precondition(records.indices.contains(position), "Index \(position) is not among the \(count) results.")
        let record = records[position]
        return context.graph.object(of: record, madeBy: context) as? Element ?? Element.makeDetached()
    }
}
