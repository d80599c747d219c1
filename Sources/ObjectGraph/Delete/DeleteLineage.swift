/// Determines which rows are still below a deletion's roots, by following cascades from the rows upwards. The cost
/// depends on the number of these rows and their depth, not on the number of rows below the roots.
///
/// Long deletions need this: a row that was planned for deletion may have been moved to an owner that survives.
package struct DeleteLineage<Reading: LineageReading> {
    private let reading: Reading
    private let model: Model
    private let roots: [Int: KeySet]
    /// The rows examined so far, and the roots among them. Rows of a hierarchy share one table, so the keys are grouped
    /// by the index of its root entity.
    private var seen: [Int: KeySet]
    private var seenRoots: [Int: KeySet] = [:]
    private var members: [Row: [Row]] = [:]

    private struct Row: Hashable {
        let rootIndex: Int
        let key: Int64
    }

    private init(_ reading: Reading, from rows: [Int: KeySet], roots: [Int: KeySet]) {
        self.reading = reading
        self.roots = roots
        model = reading.model
        seen = rows
    }

    /// Returns those of the rows that are roots, or that cascades reach from an existing root.
    package static func rows(_ rows: RowSet, below roots: RowSet, _ reading: Reading) throws -> RowSet {
        let asked = byHierarchy(rows, reading)
        var lineage = DeleteLineage(reading, from: asked, roots: byHierarchy(roots, reading))
        try lineage.climb(from: asked)
        let reached = try lineage.descend()
        var found = RowSet()
        for entity in reading.model.entities {
            let space = reading.space(ofEntity: entity.index)
            let keys = rows[space].keys.filter { reached.contains(Row(rootIndex: entity.rootIndex, key: $0)) }
            found.insert(KeySet(keys), in: space)
        }
        return found
    }

    private static func byHierarchy(_ rows: RowSet, _ reading: Reading) -> [Int: KeySet] {
        var keys: [Int: KeySet] = [:]
        for entity in reading.model.entities {
            let own = rows[reading.space(ofEntity: entity.index)]
            if !own.isEmpty { keys[entity.rootIndex, default: KeySet()].formUnion(own) }
        }
        return keys
    }

    // MARK: Up

    private mutating func climb(from rows: [Int: KeySet]) throws {
        var level = withoutRoots(rows)
        while !level.isEmpty {
            var next: [Int: KeySet] = [:]
            for entity in model.entities {
                for relationship in entity.relationships
                where relationship.declaringIndex == entity.index && relationship.deletesDestinations {
                    let place = RelationshipPlace(entityIndex: entity.index, index: relationship.index)
                    let below = model[relationship.destinationIndex].rootIndex
                    guard let keys = level[below] else { continue }
                    let owners = try note(reading.links(of: place, referencing: keys), entity.rootIndex, below)
                    next[entity.rootIndex, default: KeySet()].formUnion(owners)
                }
            }
            level = withoutRoots(next.filter { !$0.value.isEmpty })
        }
    }

    /// - Returns: Owners that were not examined before.
    private mutating func note(_ links: [RowLink], _ ownerRoot: Int, _ memberRoot: Int) -> KeySet {
        for link in links {
            members[Row(rootIndex: ownerRoot, key: link.owner), default: []].append(
                Row(rootIndex: memberRoot, key: link.member))
        }
        let new = KeySet(links.map(\.owner)).subtracting(seen[ownerRoot] ?? KeySet())
        seen[ownerRoot, default: KeySet()].formUnion(new)
        return new
    }

    /// Removes roots, as rows above a root do not matter.
    private mutating func withoutRoots(_ rows: [Int: KeySet]) -> [Int: KeySet] {
        var rest: [Int: KeySet] = [:]
        for (rootIndex, keys) in rows {
            let (inside, outside) = keys.split(by: roots[rootIndex] ?? KeySet())
            if !inside.isEmpty { seenRoots[rootIndex, default: KeySet()].formUnion(inside) }
            if !outside.isEmpty { rest[rootIndex] = outside }
        }
        return rest
    }

    // MARK: Down

    private func descend() throws -> Set<Row> {
        var open: [Row] = []
        for (rootIndex, keys) in seenRoots {
            for existing in try reading.existing(keys, rootIndex: rootIndex).values {
                open += existing.keys.map { Row(rootIndex: rootIndex, key: $0) }
            }
        }
        var reached = Set(open)
        while let row = open.popLast() {
            for member in members[row] ?? [] where reached.insert(member).inserted { open.append(member) }
        }
        return reached
    }
}

/// The reads that following cascades upwards requires.
package protocol LineageReading: DeleteReading {
    func space(ofEntity index: Int) -> IDSpace

    /// Returns the existing rows, by own entity. The keys are of one hierarchy.
    func existing(_ keys: KeySet, rootIndex: Int) throws -> [Int: KeySet]

    /// Returns the links of one relationship that refer to these rows. Includes those of subentities of the entity that
    /// declares the relationship.
    func links(of place: RelationshipPlace, referencing keys: KeySet) throws -> [RowLink]
}

/// One link of a relationship, as the keys of its ends.
package struct RowLink: Sendable, Hashable {
    package let owner: Int64
    package let member: Int64

    package init(owner: Int64, member: Int64) {
        self.owner = owner
        self.member = member
    }
}
