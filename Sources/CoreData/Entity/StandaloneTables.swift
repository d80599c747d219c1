import ObjectGraph

/// Tables of entities for objects made without a context. They are released with their models.
enum StandaloneTables {
    private static let tables = Locked<[ObjectIdentifier: (entity: NSEntityDescription, table: EntityTable)]>([:])

    static func table(of entity: NSEntityDescription) -> EntityTable {
        if let known = tables.withLock({ $0[ObjectIdentifier(entity)] }) { return known.table }
        guard let model = entity.model, let compiled = try? model.freeze(), let name = entity.name,
            let own = compiled.entity(named: name)
        else { Misuse.stop("An object cannot be made of entity '\(entity.name ?? "")', which is in no usable model.") }
        let table = EntityTable(own, entity)
        tables.withLock { tables in
            tables = tables.filter { $0.value.entity.model != nil }
            tables[ObjectIdentifier(entity)] = (entity, table)
        }
        return table
    }
}
