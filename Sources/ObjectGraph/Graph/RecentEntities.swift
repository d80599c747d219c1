/// The entities looked up last, as consecutive rows or new objects mostly have the same entity.
struct RecentEntities {
    /// The entity of the row registered last.
    var ofRow: (space: IDSpace, entity: Entity)?
    /// The entity of the new object registered last, as the object was created with, and in the graph's model.
    var ofNewObject: (standalone: Entity, own: Entity)?
}
