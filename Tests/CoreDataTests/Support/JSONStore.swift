import CoreData

/// An atomic store as a program would write one: a JSON file with a dictionary for each object.
final class JSONStore: NSAtomicStore, @unchecked Sendable {
    static let storeType = "JSON"

    struct File: Codable {
        var uuid: String
        var owner: String?
        var objects: [Object]
    }

    struct Object: Codable {
        var entity: String
        var id: String
        var texts: [String: String]
        var numbers: [String: Double]
        /// By relationship, as `Entity/id`.
        var links: [String: [String]]
    }

    static func read(_ url: URL) throws -> File { try JSONDecoder().decode(File.self, from: Data(contentsOf: url)) }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let file = try read(url)
        var metadata: [String: Any] = [NSStoreTypeKey: storeType, NSStoreUUIDKey: file.uuid]
        metadata["owner"] = file.owner
        return metadata
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        var file = try read(url)
        file.owner = metadata?["owner"] as? String
        try JSONEncoder().encode(file).write(to: url)
    }

    override func load() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        let file = try Self.read(url)
        var nodes: [String: NSAtomicStoreCacheNode] = [:]
        for object in file.objects {
            guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[object.entity] else {
                continue
            }
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: object.id))
            for (name, text) in object.texts { node.setValue(text, forKey: name) }
            for (name, number) in object.numbers { node.setValue(NSNumber(value: number), forKey: name) }
            nodes["\(object.entity)/\(object.id)"] = node
        }
        for object in file.objects {
            guard let node = nodes["\(object.entity)/\(object.id)"] else { continue }
            for (name, ids) in object.links {
                let targets = ids.compactMap { nodes[$0] }
                let isToMany = node.objectID.entity.relationshipsByName[name]?.isToMany == true
                node.setValue(isToMany ? NSSet(array: targets) : targets.first, forKey: name)
            }
        }
        addCacheNodes(Set(nodes.values))
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

    private func name(_ node: NSAtomicStoreCacheNode) -> String {
        "\(node.objectID.entity.name ?? "")/\(referenceObject(for: node.objectID))"
    }

    private func object(_ node: NSAtomicStoreCacheNode) -> Object {
        let entity = node.objectID.entity
        var object = Object(
            entity: entity.name ?? "", id: "\(referenceObject(for: node.objectID))", texts: [:], numbers: [:],
            links: [:])
        for name in entity.attributesByName.keys {
            switch node.value(forKey: name) {
            case let text as String: object.texts[name] = text
            case let number as NSNumber: object.numbers[name] = number.doubleValue
            default: break
            }
        }
        for name in entity.relationshipsByName.keys {
            let value = node.value(forKey: name)
            let targets = (value as? NSSet)?.allObjects ?? [value as Any]
            object.links[name] = targets.compactMap { $0 as? NSAtomicStoreCacheNode }.map(self.name).sorted()
        }
        return object
    }

    /// The error that the next `save` throws.
    var failure: (any Error)?
    private(set) var removedCount = 0

    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { removedCount += cacheNodes.count }

    override func save() throws {
        if let failure { throw failure }
        guard let url else { return }
        let objects = cacheNodes().map(object).sorted { ($0.entity, $0.id) < ($1.entity, $1.id) }
        let file = File(uuid: identifier, owner: metadata["owner"] as? String, objects: objects)
        try JSONEncoder().encode(file).write(to: url)
    }
}
