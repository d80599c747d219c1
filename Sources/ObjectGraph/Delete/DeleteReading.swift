/// What planning a delete asks: sets in, sets out, one statement or few for each call however large the sets.
package protocol DeleteReading {
    var model: Model { get }

    /// The entity of the rows of a space; `nil` for a space of which there are none here.
    func entity(of space: IDSpace) -> Entity?

    /// The rows that exist of these.
    func existing(_ rows: RowSet) throws -> RowSet

    /// Destinations of a relationship of some rows.
    func destinations(of relationship: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations

    /// Rows whose to-one relationship refers to one of these. The relationship is one of the entity that the place names, or
    /// inherited from it.
    func holders(of relationship: RelationshipPlace, pointingAt rows: SpaceKeys) throws -> RowSet
}

/// What a store answers beyond that, for plans that are judged.
package protocol StoreDeleteReading: DeleteReading {
    /// Rows that a query matches.
    func rows(matching query: Query) throws -> RowSet

    /// Those of the owners whose to-many relationship would have a refused number of members without the leaving ones.
    func owners(
        _ owners: SpaceKeys, of relationship: RelationshipPlace, leftWith refused: Range<Int>, without leaving: RowSet
    ) throws -> KeySet
}

/// Rows of one space.
package struct SpaceKeys: Sendable, Hashable {
    package let space: IDSpace
    package let keys: KeySet

    package init(_ keys: KeySet, in space: IDSpace) {
        self.space = space
        self.keys = keys
    }
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

/// The destinations of one relationship.
package struct Destinations: Sendable {
    /// Those that exist.
    package var rows: RowSet
    /// Rows of the join table that make the links; 0 where there is none.
    package var joinRowCount: Int

    package init(rows: RowSet = RowSet(), joinRowCount: Int = 0) {
        self.rows = rows
        self.joinRowCount = joinRowCount
    }
}
