import CoreData

// Common steps of the tests with random changes.

extension NSManagedObjectContext {
    /// Saves, and merges into other contexts.
    func save(mergingInto others: [NSManagedObjectContext]) throws {
        let recorded = Recorded(.NSManagedObjectContextDidSaveObjectIDs, object: self)
        try save()
        for notification in recorded.notifications {
            for other in others where other !== self { other.mergeChanges(fromContextDidSave: notification) }
        }
    }

    /// Deletes the first rows in the store, and merges into every live context.
    func deleteFirst(_ count: Int, of request: NSFetchRequest<any NSFetchRequestResult>) throws {
        request.fetchLimit = count
        let delete = NSBatchDeleteRequest(fetchRequest: request)
        delete.mergesIntoLiveContexts = true
        try execute(delete)
    }

    /// Changes the age of animals above an age in the store, and merges into contexts.
    func updateAges(over limit: Int, to age: Int, mergingInto contexts: [NSManagedObjectContext]) throws {
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["age": age]
        request.predicate = NSPredicate(format: "age > %d", limit)
        request.resultType = .updatedObjectIDsResultType
        let ids = try (execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: contexts)
    }
}

extension NSManagedObject {
    /// The object's values for the zoo's stored properties.
    var contents: String {
        let attributes = entity.attributesByName.keys.sorted().filter { $0 != "note" }
            .map { "\($0)=\(value(forKey: $0).map { "\($0)" } ?? "nil")" }
        let relationships = entity.relationshipsByName.keys.sorted().map { name in
            "\(name)=\(objectIDs(forRelationshipNamed: name).map { $0.uriRepresentation().path }.sorted())"
        }
        return (attributes + relationships).joined(separator: " ")
    }
}
