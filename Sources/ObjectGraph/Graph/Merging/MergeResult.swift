/// What a merge did to the objects of a graph.
package struct MergeResult {
    /// Rows that are new here, as faults; only where the graph collects events.
    package var inserted: [Record] = []
    /// Objects with other values or fewer links, and those that are read again when next used.
    package var refreshed: [Record] = []
    /// Objects whose rows are gone, and those that the delete rules reach from them.
    package var deleted: [Record] = []
    /// Objects that were never saved and went along.
    package var dropped: [AnyObject] = []
}
