/// The effects of a merge on the objects of a graph.
package struct MergeResult {
    /// New rows, as faults; only if the graph collects events.
    package var inserted: [Record] = []
    /// Objects with other values or fewer links, and those that will be read at the next access.
    package var refreshed: [Record] = []
    /// Objects whose rows were deleted, and those that the delete rules reach from them.
    package var deleted: [Record] = []
    /// Objects that were deleted by rule and had never been saved.
    package var dropped: [AnyObject] = []
}
