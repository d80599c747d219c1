import ObjectGraph

/// The models in use, to find the entity of a class.
enum OpenModels {
    private struct Entry {
        weak var core: CoordinatorCore?
    }

    private static let entries = Locked<[Entry]>([])

    static func add(_ core: CoordinatorCore) {
        entries.withLock { list in
            list.removeAll { $0.core == nil }
            list.append(Entry(core: core))
        }
    }

    /// The entity of the newest model that has the class.
    static func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
        let cores = entries.withLock { $0.compactMap(\.core) }
        return cores.reversed().lazy.compactMap { $0.tables.entity(for: type) }.first
    }
}

extension ModelTables {
    /// Looks up by class name, else by the class's name without its module.
    func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
        let named = tables.first { ManagedClasses.name($0.description.managedObjectClassName, means: type) }
        return (named ?? table(named: ManagedClasses.lastName(String(reflecting: type))))?.description
    }
}
