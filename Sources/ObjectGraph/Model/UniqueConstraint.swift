/// A uniqueness constraint, by the slots of its properties.
///
/// 1. Nil is equal to no other value, so a constraint does not apply to rows in which one of its properties is nil.
/// 2. A composite is nil if all its leaves are.
/// 3. It applies to all rows of a hierarchy that have its properties, regardless of the entity that declares it.
package struct UniqueConstraint: Sendable, Hashable {
    /// One range for each property.
    package let parts: [Range<Int>]
    /// The topmost entity that has all of the properties.
    package let entityIndex: Int
    /// Whether the constraint means that a destination has one owner, instead of identifying rows by their values.
    package let isOfOwners: Bool

    package var slots: [Int] { parts.joined().sorted() }

    /// Returns the unique values of a row; `nil` for a row to which the constraint does not apply.
    /// - Parameter value: Returns the row's value of a slot.
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
    /// Returns the constraints of an entity and its superentities, the latter first. Leaves out properties without a
    /// column.
    package func uniqueConstraints(of entity: Entity) -> [UniqueConstraint] {
        let inherited = entity.superentityIndex.map { uniqueConstraints(of: self[$0]) } ?? []
        return inherited + entity.uniquenessConstraints.compactMap { uniqueConstraint($0, of: entity) }
    }

    /// Returns the constraints of all entities of a hierarchy, each once.
    package func uniqueConstraints(inHierarchyOf entity: Entity) -> [UniqueConstraint] {
        self[entity.rootIndex].familyIndexes.flatMap { uniqueConstraints(of: self[$0]) }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
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
        // The entities that declare the properties are ancestors of one another.
        let lowest = owners.first { owner in owners.allSatisfy { isKind(owner, of: $0) } }
        return lowest.map { UniqueConstraint(parts: parts, entityIndex: $0, isOfOwners: isOfOwners) }
    }
}
