/// How a face is notified of what becomes of its objects, and with it how what others save is taken in. Fixed when a graph is
/// made.
package enum ObjectEvents: Sendable {
    /// By the observers of records. Objects whose rows others deleted leave at once, values that others changed are read when next
    /// used, new rows when they are fetched.
    case asTheyHappen
    /// Together, at the end of an event, so that objects can be named with what became of them. Objects whose rows others deleted
    /// wait for the save as deleted, values that others changed are read at once, new rows become faults.
    case collected
}

/// What a face asks of its graph beside that.
package struct GraphOptions {
    /// Whether objects stay although the program does not hold them.
    package var retainsObjects = false
    /// Whether the face is asked to read what objects that come in hold by themselves.
    package var asksForConstants = false
    /// Whether the face is notified that unsaved work began or grew. Asking it each time would take longer than most changes.
    package var tellsOfChanges = false
    /// Whether it is notified of the next edit although unsaved work had begun before: a face whose automatic save failed sets
    /// this, as the edit may be what lets it succeed.
    package var tellsOfNextEdit = false
    /// Notified of the rows that deletes by query take.
    package var deleteObserver: (any DeleteObserver)?
}
