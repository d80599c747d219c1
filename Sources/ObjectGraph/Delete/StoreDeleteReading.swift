/// Additional reads of a store, for plans with refusals.
package protocol StoreDeleteReading: DeleteReading {
    /// Returns the rows that match a query.
    func rows(matching query: Query) throws -> RowSet

    /// Returns those of the owners whose to-many relationship would have a refused number of members without the
    /// deleted ones.
    func owners(
        _ owners: SpaceKeys, of relationship: RelationshipPlace, leftWith refused: Range<Int>, without leaving: RowSet
    ) throws -> KeySet
}
