/// A uniqueness constraint by the slots of its properties.
///
/// 1. A property that is nil is equal to no other, so a constraint binds no row in which one of its properties is.
/// 2. A composite is nil when all its leaves are.
/// 3. It holds for all rows of a hierarchy that have its properties, whichever entity of it declares it.
package struct UniqueConstraint: Sendable, Hashable {
    /// One range for each property.
    package let parts: [Range<Int>]
    /// The properties are those of this entity and of the entities below it.
    package let entityIndex: Int
    /// Whether it says that a destination has one owner, rather than that rows are told apart by their values.
    package let isOfOwners: Bool

    package var slots: [Int] { parts.joined().sorted() }

    /// What must be unique in a row; `nil` for a row that the constraint does not bind.
    /// - Parameter value: the row's, by slot.
    package func values(_ value: (Int) -> Value) -> [Value]? {
        var values: [Value] = []
        for part in parts {
            let found = part.map(value)
            if found.allSatisfy(\.isNull) { return nil }
            values += found
        }
        return values
    }
}

extension Model {
    /// The constraints of an entity and of those above it, these first. What no column holds is left out.
    package func uniqueConstraints(of entity: Entity) -> [UniqueConstraint] {
        let inherited = entity.superentityIndex.map { uniqueConstraints(of: self[$0]) } ?? []
        return inherited + entity.uniquenessConstraints.compactMap { uniqueConstraint($0, of: entity) }
    }

    private func uniqueConstraint(_ paths: [String], of entity: Entity) -> UniqueConstraint? {
        var (parts, owners): ([Range<Int>], [Int]) = ([], [])
        var isOfOwners = true
        for names in paths.map({ $0.split(separator: ".").map(String.init) }) {
            if let relationship = names.first.flatMap(entity.relationship), let slot = relationship.slot {
                parts.append(slot..<slot + 1)
                owners.append(relationship.declaringIndex)
            } else if let attribute = names.first.flatMap(entity.attribute),
                let positions = attribute.attribute.leafPositions(at: names.dropFirst())
            {
                let first = attribute.slots.lowerBound
                parts.append(first + positions.lowerBound..<first + positions.upperBound)
                owners.append(attribute.declaringIndex)
                isOfOwners = false
            }
        }
        // The entities that declare the properties are above each other.
        let lowest = owners.first { owner in owners.allSatisfy { isKind(owner, of: $0) } }
        return lowest.map { UniqueConstraint(parts: parts, entityIndex: $0, isOfOwners: isOfOwners) }
    }
}
