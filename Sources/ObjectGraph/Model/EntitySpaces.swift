/// The identity spaces of one store's entities, looked up once so that making an `ObjectID` is cheap.
package struct EntitySpaces: Sendable {
    package let spaces: PerEntity<IDSpace>
    private let indexes: [IDSpace: Int]

    package init(model: Model, storeIdentifier: String) {
        let spaces = PerEntity(model) { IDSpace.intern(storeIdentifier: storeIdentifier, entityName: $0.name) }
        self.spaces = spaces
        indexes = Dictionary(
            model.entities.map { (spaces[$0.index], $0.index) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the entity index of a row of this store; `nil` for temporary and foreign identifiers.
    package func entityIndex(of id: ObjectID) -> Int? { indexes[id.space] }

    package func entityIndex(of space: IDSpace) -> Int? { indexes[space] }

    package func id(entityIndex: Int, key: Int64) -> ObjectID { ObjectID(space: spaces[entityIndex], key: key) }
}
