import ObjectGraph

/// The number that each entity's rows carry. Root entities are numbered from 1 by name without case, each directly
/// followed by its subentities in the same order.
package struct EntityNumbers: Sendable, Hashable {
    /// Numbers by entity index; 0 for entities that a restricted model does not have.
    package let numbers: [Int]
    /// Entity indexes by ascending number.
    package let order: [Int]

    package subscript(entityIndex: Int) -> Int { numbers[entityIndex] }

    private init(_ model: Model, numbers: [Int]) {
        self.numbers = numbers
        order = model.entities.map(\.index).sorted { numbers[$0] < numbers[$1] }
    }

    /// Makes the numbers of a new file.
    package init(_ model: Model) {
        var numbers = Array(repeating: 0, count: model.indexLimit)
        for (position, index) in model.indexesInNameOrder.enumerated() { numbers[index] = position + 1 }
        self.init(model, numbers: numbers)
    }

    /// Reads the numbers of an existing file. An entity's row is found by its name, then by its former name, then by the
    /// number in a new file: a migration that renames an entity leaves the old name in the key table.
    /// - Throws: `StorageMapError.missingEntity` for the first entity without a row.
    package init(_ model: Model, rows: [PrimaryKeyRow]) throws {
        let expected = EntityNumbers(model)
        let rows = rows.filter { $0.number > 0 }
        let byName = Dictionary(rows.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
        var numbers = PerEntity(model) { byName[$0.name] }
        var unclaimed = Set(rows.map(\.number)).subtracting(numbers.compactMap { $0 })
        for entity in model.entities where numbers[entity.index] == nil {
            let former = entity.renamingIdentifier.flatMap { byName[$0] }
            let number = [former, expected[entity.index]].compactMap { $0 }.first { unclaimed.contains($0) }
            numbers[entity.index] = number.flatMap { unclaimed.remove($0) }
        }
        var found = Array(repeating: 0, count: model.indexLimit)
        for entity in model.entities {
            guard let number = numbers[entity.index] else { throw StorageMapError.missingEntity(entity.name) }
            found[entity.index] = number
        }
        self.init(model, numbers: found)
    }
}
