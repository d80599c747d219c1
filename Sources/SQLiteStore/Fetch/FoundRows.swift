import ObjectGraph
import StoreSQL

/// Groups the rows of one hierarchy that a statement returns by their own entity.
struct FoundRows {
    /// The columns that the statement must select.
    let columns: [String]
    private let map: StorageMap
    /// The entity of all rows, if there is only one.
    private let onlyEntityIndex: Int?

    init(_ map: StorageMap, _ entity: Entity, subentities: Bool) {
        self.map = map
        onlyEntityIndex = subentities && entity.hasSubentities ? nil : entity.index
        columns = [SystemTables.keyColumn] + (onlyEntityIndex == nil ? [SystemTables.entityColumn] : [])
    }

    /// Returns all rows. Rows of entities that the model does not have are skipped.
    func all(_ statement: Statement) throws -> [Int: KeySet] {
        if let onlyEntityIndex {
            var keys = KeyGathering()
            while try statement.step() { keys.append(statement.integer(at: 0)) }
            let set = keys.finish()
            return set.isEmpty ? [:] : [onlyEntityIndex: set]
        }
        var keys: [Int: KeyGathering] = [:]
        while try statement.step() {
            guard let number = Int(exactly: statement.integer(at: 1)), let index = map.entityIndexByNumber[number]
            else { continue }
            keys[index, default: KeyGathering()].append(statement.integer(at: 0))
        }
        return keys.mapValues { gathering in
            var gathering = gathering
            return gathering.finish()
        }
    }
}
