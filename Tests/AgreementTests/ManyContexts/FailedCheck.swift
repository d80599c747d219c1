/// A violated invariant.
struct FailedCheck: Error, CustomStringConvertible {
    enum Kind: String, CaseIterable {
        /// A stored key refers to no row, or the two ends of a one-to-one relationship disagree.
        case storedLinks = "stored links"
        /// A context differs from the file.
        case staleContext = "stale context"
        /// The two ends of a relationship disagree within a context.
        case inverses = "inverses"
        case unsavedChanges = "unsaved changes"
        case doubledRow = "doubled row"
        /// A version stands for two states of a row.
        case versions = "versions"
    }

    let kind: Kind
    let text: String
    var description: String { "\(kind.rawValue): \(text)" }
}
