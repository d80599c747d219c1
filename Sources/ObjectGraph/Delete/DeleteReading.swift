/// What planning a delete asks of a store: sets in, sets out, one statement or few for each call however large the sets.
/// Entities by index, rows by key.
package protocol DeleteReading {
    var model: Model { get }

    func space(ofEntity index: Int) -> IDSpace

    /// Rows a query picks, by own entity.
    func rows(matching query: Query) throws -> [Int: KeySet]

    /// The rows that exist of these, by own entity. The keys are of one hierarchy.
    func existing(_ keys: KeySet, rootIndex: Int) throws -> [Int: KeySet]

    /// Where a relationship leads from rows of one entity.
    func destinations(of place: RelationshipPlace, from owners: KeySet) throws -> Destinations

    /// Rows, by own entity, whose to-one relationship points at one of these. The relationship is one of the entity the
    /// place names, or inherited from it.
    func holders(of place: RelationshipPlace, pointingAt keys: KeySet) throws -> [Int: KeySet]

    /// Those of the owners whose to-many relationship would have a refused number of members without the leaving ones.
    func owners(
        _ owners: KeySet, of place: RelationshipPlace, leftWith refused: Range<Int>, without leaving: KeySet
    ) throws -> KeySet
}

/// A relationship as one entity has it.
package struct RelationshipPlace: Sendable, Hashable {
    package let entityIndex: Int
    /// Position in the entity's `relationships`.
    package let index: Int

    package init(entityIndex: Int, index: Int) {
        self.entityIndex = entityIndex
        self.index = index
    }
}

/// The rows one relationship leads to.
package struct Destinations: Sendable {
    /// Existing rows by own entity.
    package var rows: [Int: KeySet]
    /// Rows of the join table that make the links; 0 where there is none.
    package var joinRowCount: Int

    package init(rows: [Int: KeySet] = [:], joinRowCount: Int = 0) {
        self.rows = rows
        self.joinRowCount = joinRowCount
    }
}
