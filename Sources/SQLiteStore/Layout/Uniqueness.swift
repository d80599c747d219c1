/// A uniqueness constraint by its columns.
///
/// 1. A property that is nil is equal to no other, so a constraint binds no row in which one of its properties is.
/// 2. A composite is nil when all its columns are. One that is nil in part (an enum, of whose columns only the chosen case's
///    is filled; a struct with an optional member) binds like any other value.
/// 3. SQLite's index takes two nulls for different, so it does not see that such composites are equal.
package struct Uniqueness: Sendable, Hashable {
    package let parts: [Part]

    /// One property.
    package struct Part: Sendable, Hashable {
        package let kind: Kind
        /// Several of a composite.
        package let columns: [String]
    }

    package enum Kind: Sendable, Hashable {
        case value
        /// The key of a to-one relationship.
        case destination
    }

    package var columns: [String] { parts.flatMap(\.columns) }

    /// Whether equal rows may escape the file's index.
    package var isBlind: Bool { parts.contains { $0.columns.count > 1 } }

    /// Whether it says that a destination has one owner, rather than that rows are told apart by their values.
    package var isOfOwners: Bool { parts.allSatisfy { $0.kind == .destination } }

    func mapColumns(_ transform: (String) -> String) -> Uniqueness {
        Uniqueness(parts: parts.map { Part(kind: $0.kind, columns: $0.columns.map(transform)) })
    }
}
