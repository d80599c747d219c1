/// No rows: under unsaved work, what that alone says.
struct NoRows: DeleteReading {
    let model: Model

    func entity(of space: IDSpace) -> Entity? { nil }
    func rows(matching query: Query) -> RowSet { RowSet() }
    func existing(_ rows: RowSet) -> RowSet { RowSet() }
    func destinations(of relationship: RelationshipPlace, from owners: SpaceKeys) -> Destinations { Destinations() }
    func holders(of relationship: RelationshipPlace, pointingAt rows: SpaceKeys) -> RowSet { RowSet() }

    func owners(
        _ owners: SpaceKeys, of relationship: RelationshipPlace, leftWith refused: Range<Int>, without leaving: RowSet
    ) -> KeySet { KeySet() }
}
