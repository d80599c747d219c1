import CoreData

/// An incremental store as a program would write one: over a dictionary that other programs may change, which stands for a server.
final class DictionaryStore: NSIncrementalStore, @unchecked Sendable {
    static let storeType = "Dictionary"

    struct Row {
        var entity: String
        var version: UInt64 = 1
        var values: [String: Any] = [:]
        /// Names of other rows.
        var links: [String: [String]] = [:]
    }

    /// By name.
    var rows: [String: Row] = [:]
    /// The requests, in order.
    var asked: [String] = []
    var held: Set<NSManagedObjectID> = []
    var failure: (any Error)?

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: "server-\(options?["name"] as? String ?? "1")"]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        if let failure { throw failure }
        switch request {
        case let request as NSFetchRequest<any NSFetchRequestResult>: return try fetch(request, context)
        case let request as NSSaveChangesRequest: return try save(request)
        default: return try super.execute(request, with: context)
        }
    }

    private func id(_ name: String) -> NSManagedObjectID? {
        guard let row = rows[name],
            let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[row.entity]
        else { return nil }
        return newObjectID(for: entity, referenceObject: name)
    }

    private func name(_ id: NSManagedObjectID) -> String { referenceObject(for: id) as? String ?? "" }

    private func fetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext?
    ) throws -> [NSManagedObject] {
        asked.append("fetch \(request.entityName ?? "") \(request.predicate?.formatText ?? "all")")
        let wanted = rows.filter {
            request.includesSubentities && $0.value.entity == "Mammal" && request.entityName == "Animal"
                || $0.value.entity == request.entityName
        }
        let matching = wanted.filter { name, row in
            request.predicate?.evaluate(with: row.values) ?? true
        }
        let names = matching.keys.sorted()
        let sorted = request.sortDescriptors?.first.map { descriptor in
            names.sorted {
                let (left, right) = (rows[$0]?.values[descriptor.key ?? ""], rows[$1]?.values[descriptor.key ?? ""])
                let isLess = "\(left ?? "")" < "\(right ?? "")"
                return descriptor.ascending ? isLess : !isLess
            }
        }
        let rest = (sorted ?? names).dropFirst(request.fetchOffset)
        let window = request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest
        return window.compactMap { id($0) }.compactMap { context?.object(with: $0) }
    }

    private func save(_ request: NSSaveChangesRequest) throws -> [Any] {
        for object in request.insertedObjects ?? [] { write(object) }
        for object in request.updatedObjects ?? [] { write(object) }
        for object in request.deletedObjects ?? [] { rows[name(object.objectID)] = nil }
        asked.append(
            "save +\(request.insertedObjects?.count ?? 0) ~\(request.updatedObjects?.count ?? 0) "
                + "-\(request.deletedObjects?.count ?? 0)")
        return []
    }

    private func write(_ object: NSManagedObject) {
        precondition(!object.objectID.isTemporaryID)
        var row = rows[name(object.objectID)] ?? Row(entity: object.entity.name ?? "", version: 0)
        row.version += 1
        for (key, attribute) in object.entity.attributesByName where !attribute.isTransient {
            row.values[key] = object.value(forKey: key)
        }
        for key in object.entity.relationshipsByName.keys {
            let value = object.value(forKey: key)
            let others = (value as? NSSet)?.allObjects ?? [value as Any]
            row.links[key] = others.compactMap { $0 as? NSManagedObject }.map { name($0.objectID) }.sorted()
        }
        rows[name(object.objectID)] = row
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        if let failure { throw failure }
        guard let row = rows[name(objectID)] else { throw CocoaError(.managedObjectReferentialIntegrity) }
        asked.append("values \(name(objectID))")
        return NSIncrementalStoreNode(objectID: objectID, withValues: row.values, version: row.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let ids = (rows[name(objectID)]?.links[relationship.name] ?? []).compactMap { id($0) }
        return relationship.isToMany ? ids : ids.first ?? NSNull()
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: "new-\(UUID().uuidString)") }
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        held.formUnion(objectIDs)
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        held.subtract(objectIDs)
    }
}
