import ObjectGraph

/// An entity without properties, in no program's model, for objects that are made without an entity.
enum PlainEntity {
    private static let model = Locked(makeModel())

    private static func makeModel() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Object"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    static var description: NSEntityDescription { model.withLock { $0.entities.first } ?? NSEntityDescription() }

    static var entity: Entity { StandaloneTables.table(of: description).entity }
}
