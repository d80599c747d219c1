import ObjectGraph

/// A property of a model class, for observation.
struct ObservedProperty: @unchecked Sendable {  // A name and an immutable key path, which lacks the annotation.
    let name: String
    /// Rooted in the class that declares the property.
    let keyPath: AnyKeyPath

    private static let known = Locked<[ObjectIdentifier: [ObservedProperty]]>([:])

    static func all(of type: any PersistentModel.Type) -> [ObservedProperty] {
        known.withLock { table in
            if let found = table[ObjectIdentifier(type)] { return found }
            let made = ModelType.of(type).allProperties.map { ObservedProperty(name: $0.name, keyPath: $0.keyPath) }
            table[ObjectIdentifier(type)] = made
            return made
        }
    }

    /// The properties of a record's object, or the one that is the relationship.
    static func all(of record: Record, _ relationship: EntityRelationship?) -> [ObservedProperty] {
        guard let model = record.object as? any PersistentModel else { return [] }
        let properties = all(of: type(of: model))
        guard let relationship else { return properties }
        return properties.filter { $0.name == relationship.name }
    }
}
