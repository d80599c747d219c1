/// What became of a result, or of a section.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    case insert = 1
    case delete = 2
    /// A result only: it is at another place among the others, and may have changed otherwise too.
    case move = 3
    /// A result only: it changed, and is where it was.
    case update = 4
}
