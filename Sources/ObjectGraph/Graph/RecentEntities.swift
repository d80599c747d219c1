/// Entities that were looked up last: rows, and new objects, come in runs of one entity.
struct RecentEntities {
    /// Of the row registered last.
    var ofRow: (space: IDSpace, entity: Entity)?
    /// Of the new object registered last, as it was made with and as the graph's model has it.
    var ofNewObject: (standalone: Entity, own: Entity)?
}
