/// The reads that planning a deletion requires. All work on sets, with one or a few statements for each call,
/// regardless of the size of the sets.
package protocol DeleteReading {
    var model: Model { get }

    /// Returns the entity of the rows of a space; `nil` if no such rows exist.
    func entity(of space: IDSpace) -> Entity?

    /// Returns the existing rows.
    func existing(_ rows: RowSet) throws -> RowSet

    /// Returns the destinations of a relationship of these rows.
    func destinations(of relationship: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations

    /// Returns rows whose to-one relationship refers to one of these. The relationship is declared by the entity of the
    /// place, or inherited.
    func referencingRows(of relationship: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet
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

/// A relationship by its position in one entity.
package struct RelationshipPlace: Sendable, Hashable {
    package let entityIndex: Int
    /// The position in the entity's `relationships`.
    package let index: Int

    package init(entityIndex: Int, index: Int) {
        self.entityIndex = entityIndex
        self.index = index
    }
}

/// The destinations of one relationship.
package struct Destinations: Sendable {
    /// The existing destinations.
    package var rows: RowSet
    /// The number of join rows that form the links; 0 without a join table.
    package var joinRowCount: Int

    package init(rows: RowSet = RowSet(), joinRowCount: Int = 0) {
        self.rows = rows
        self.joinRowCount = joinRowCount
    }
}
