/// The kinds of changes of a result or section.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// The result or section was inserted.
    case insert = 1
    /// The result or section was deleted.
    case delete = 2
    /// The result moved to another position among the others, and may have changed otherwise too. Not used for sections.
    case move = 3
    /// The result changed and kept its position. Not used for sections.
    case update = 4
}
