/// A reading without rows. Combined with unsaved changes, it shows only these.
struct NoRows: DeleteReading {
    let model: Model

    func entity(of space: IDSpace) -> Entity? { nil }
    func existing(_ rows: RowSet) -> RowSet { RowSet() }
    func destinations(of relationship: RelationshipPlace, from owners: SpaceKeys) -> Destinations { Destinations() }
    func referencingRows(of relationship: RelationshipPlace, referringTo rows: SpaceKeys) -> RowSet { RowSet() }
}
