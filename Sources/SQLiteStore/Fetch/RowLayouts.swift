import ObjectGraph
import StoreSQL

/// The layouts of all entities of a store, with and without their subentities.
struct RowLayouts: Sendable {
    private let families: PerEntity<RowLayout>
    private let own: PerEntity<RowLayout>
    /// Identity spaces by entity number.
    let spacesByNumber: [IDSpace?]

    init(map: StorageMap, spaces: EntitySpaces, files: FileValues = .all) {
        let entities = map.model.entities
        let families = PerEntity(map.model) {
            RowLayout(entityIndexes: $0.familyIndexes, map: map, spaces: spaces, files: files)
        }
        self.families = families
        own = PerEntity(map.model) { entity in
            entity.hasSubentities
                ? RowLayout(entityIndexes: [entity.index], map: map, spaces: spaces, files: files)
                : families[entity.index]
        }
        let highest = map.entities.map(\.entityNumber).max() ?? 0
        var byNumber: [IDSpace?] = Array(repeating: nil, count: highest + 1)
        for entity in entities { byNumber[map.entities[entity.index].entityNumber] = spaces.spaces[entity.index] }
        spacesByNumber = byNumber
    }

    /// Whether any row can have a value in an external file.
    var readFiles: Bool { families.contains(where: \.readsFiles) }

    func layout(_ entityIndex: Int, includesSubentities: Bool) -> RowLayout {
        includesSubentities ? families[entityIndex] : own[entityIndex]
    }

    /// Returns the identity space of a row by its entity number; `nil` for numbers that the model does not have.
    @inline(__always)
    func space(number: Int64) -> IDSpace? {
        guard let index = Int(exactly: number), spacesByNumber.indices.contains(index) else { return nil }
        return spacesByNumber[index]
    }
}
