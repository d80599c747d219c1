/// The readings of several stores, each used for its own rows. Relationships stay within a store.
struct GroupReading: DeleteReading {
    let model: Model
    let members: [any DeleteReading]
    /// The identifiers of stores that cannot delete sets.
    let others: Set<String>

    func entity(of space: IDSpace) -> Entity? { member(of: space)?.entity(of: space) }

    private func member(of space: IDSpace) -> (any DeleteReading)? {
        members.first { $0.entity(of: space) != nil }
    }

    /// - Throws: `StoreCapabilityError` for rows of a store that cannot delete sets.
    func existing(_ rows: RowSet) throws -> RowSet {
        if let other = rows.spaces.compactMap(\.storeIdentifier).filter(others.contains).min() {
            throw StoreCapabilityError.deletesNoSets(store: other)
        }
        return try members.reduce(into: RowSet()) { $0.formUnion(try $1.existing(rows)) }
    }

    func destinations(of relationship: RelationshipPlace, from owners: SpaceKeys) throws -> Destinations {
        try member(of: owners.space)?.destinations(of: relationship, from: owners) ?? Destinations()
    }

    func referencingRows(of relationship: RelationshipPlace, referringTo rows: SpaceKeys) throws -> RowSet {
        try member(of: rows.space)?.referencingRows(of: relationship, referringTo: rows) ?? RowSet()
    }
}
