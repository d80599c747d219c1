import ObjectGraph

/// A uniqueness constraint as columns.
///
/// 1. A property that is nil equals no other value, so the constraint does not apply to rows with a nil property.
/// 2. A composite is nil if all of its columns are NULL. A partly NULL composite (an enum, for which only the columns of
///    its case have values; a struct with an optional member) is compared like any other value.
/// 3. SQLite's index considers two NULLs different, so it does not detect that such composites are equal.
package struct Uniqueness: Sendable, RowConstraint {
    package let parts: [Part]

    /// One property of a constraint.
    package struct Part: Sendable, Hashable {
        package let kind: Kind
        /// The property's columns; several for a composite.
        package let columns: [String]
    }

    package enum Kind: Sendable, Hashable {
        case value
        /// The key of a to-one relationship.
        case destination
    }

    package var columns: [String] { parts.flatMap(\.columns) }

    /// Whether the file's index may miss equal rows.
    package var missesEqualNulls: Bool { parts.contains { $0.columns.count > 1 } }

    /// Whether the constraint limits a destination to one owner, rather than comparing attribute values.
    package var isOfOwners: Bool { parts.allSatisfy { $0.kind == .destination } }

    func mapColumns(_ transform: (String) -> String) -> Uniqueness {
        Uniqueness(parts: parts.map { Part(kind: $0.kind, columns: $0.columns.map(transform)) })
    }
}
