/// How a face is notified of changes to its objects, and how changes that others saved are merged. Constant for a
/// graph.
package enum ObjectEvents: Sendable {
    /// Immediately, by the observers of records. Objects whose rows others deleted leave at once; values that others
    /// changed are read at the next access, new rows when they are fetched.
    case asTheyHappen
    /// Together at the end of an event, by object. Objects whose rows others deleted stay deleted until the save;
    /// values that others changed are read at once, and new rows become faults.
    case collected
}
