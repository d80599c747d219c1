import BenchmarkModels
import BenchmarkSupport
import CoreData
import HandWritten

/// The workloads with requests of the Core Data face. As in `Work`, functions prepare and closures do the work.
struct ManagedWork: PreparedWork {
    let arguments: Arguments

    func adopt() throws {
        let model = arguments.path + ".model"
        StoreFile.remove(model)
        let coordinator = try coordinator(at: model)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        hw_adopt(arguments.path, model, arguments.history)
        StoreFile.remove(model)
    }

    private func coordinator(at path: String) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
            options: [NSPersistentHistoryTrackingKey: arguments.history == HW_WITH_HISTORY])
        return coordinator
    }

    private var model: NSManagedObjectModel {
        switch arguments.workload {
        case .deleteAll, .deleteHalf: ManagedModels.nullify()
        default: ManagedModels.graph()
        }
    }

    /// - Throws: `ArgumentsError` for a workload without a request.
    func prepared() throws -> () throws -> Any {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try coordinator(at: arguments.path)
        // Called once, on the context's queue.
        nonisolated(unsafe) let work = try work(context)
        return { try context.performAndWait { (context, try work()) } }
    }

    private func work(_ context: NSManagedObjectContext) throws -> () throws -> Any {
        switch arguments.workload {
        case .insert: insert(context)
        case .updateHalf: update(context)
        case .fetchObjects: fetch(context)
        case .deleteAll: delete(context, "Animal", nil)
        case .deleteHalf: delete(context, "Animal", NSPredicate(format: "age >= 50"))
        case .cascade: delete(context, "AnimalCategory", NSPredicate(format: "name < %@", arguments.threshold))
        default: throw ArgumentsError.noRequest(arguments.workload.rawValue)
        }
    }

    /// Batch inserts have no relationships: the animals have no category.
    private func insert(_ context: NSManagedObjectContext) -> () throws -> Any {
        let request = insertion(AnimalValues.all(arguments.count))
        request.resultType = .objectIDs
        return { try context.execute(request) }
    }

    private func insertion(_ values: [AnimalValues]) -> NSBatchInsertRequest {
        var rest = values[...]
        switch arguments.insertion {
        case .objects: return NSBatchInsertRequest(entityName: "Animal", objects: values.map(Self.dictionary))
        case .dictionary:
            return NSBatchInsertRequest(entityName: "Animal") { (row: NSMutableDictionary) in
                guard let value = rest.popFirst() else { return true }
                row["name"] = value.name
                row["diet"] = value.diet
                row["age"] = value.age
                row["weight"] = value.weight
                row["born"] = value.born
                return false
            }
        case .managedObject:
            return NSBatchInsertRequest(entityName: "Animal") { (object: NSManagedObject) in
                guard let animal = object as? ManagedAnimal, let value = rest.popFirst() else { return true }
                animal.name = value.name
                animal.diet = value.diet
                animal.age = Int64(value.age)
                animal.weight = value.weight
                animal.born = value.born
                return false
            }
        }
    }

    private static func dictionary(_ value: AnimalValues) -> [String: Any] {
        ["name": value.name, "diet": value.diet, "age": value.age, "weight": value.weight, "born": value.born]
    }

    private func update(_ context: NSManagedObjectContext) -> () throws -> Any {
        {
            let request = NSBatchUpdateRequest(entityName: "Animal")
            request.predicate = NSPredicate(format: "age >= 50")
            request.propertiesToUpdate = ["weight": NSExpression(format: "weight + 1")]
            request.resultType = .updatedObjectIDsResultType
            return try context.execute(request)
        }
    }

    private func fetch(_ context: NSManagedObjectContext) -> () throws -> Any {
        {
            let animals = try context.fetch(NSFetchRequest<ManagedAnimal>(entityName: "Animal"))
            return (animals, animals.reduce(0) { $0 + Self.read($1) })
        }
    }

    private static func read(_ animal: ManagedAnimal) -> Double {
        Double(animal.age) + animal.weight + animal.born.timeIntervalSinceReferenceDate
            + Double(animal.diet.utf8.count) + Double(animal.name.utf8.count) + (animal.category == nil ? 0 : 1)
    }

    private func delete(
        _ context: NSManagedObjectContext, _ entity: String, _ predicate: NSPredicate?
    ) -> () throws -> Any {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        fetch.predicate = predicate
        return {
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = arguments.returnsIdentifiers ? .resultTypeObjectIDs : .resultTypeCount
            return try context.execute(request)
        }
    }
}
