import ArgumentParser

/// What the benchmark of live results measures. The same names are in `Peers`, which does the same with GRDB.
enum LiveWorkload: String, CaseIterable, ExpressibleByArgument {
    /// One observer of all rows, sorted. Each change sets the sort key of one row, without a save.
    case edit
    /// The same, with a save for each change.
    case save
    /// An observer of the number of rows and the sum of a property by station. Each change sets the property of one row,
    /// without a save; the groups are read.
    case groups
    /// Observers of different stations. Each save changes a property that none of them reads.
    case unread
    /// Observers of different stations. Each save moves a row in the results of one of them.
    case read
    /// An observer of a part of the rows; another context deletes most of all rows by a predicate.
    case delete
    /// The memory of an observer of all rows, beside the objects.
    case hold
}
