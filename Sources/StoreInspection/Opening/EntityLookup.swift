import ObjectGraph

extension Model {
    /// Returns the entity with a name, ignoring case if that is unambiguous.
    /// - Throws: `InspectionError.unknownEntity`.
    package func inspectedEntity(_ name: String) throws -> Entity {
        if let entity = entity(named: name) { return entity }
        let close = entities.filter { $0.name.lowercased() == name.lowercased() }
        guard close.count == 1, let entity = close.first else {
            throw InspectionError.unknownEntity(name, known: entities.map(\.name))
        }
        return entity
    }
}

extension Entity {
    package var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }

    /// - Throws: `InspectionError.unknownProperty`.
    package func inspectedRelationship(_ name: String) throws -> EntityRelationship {
        let close =
            relationships.first { $0.name == name } ?? relationships.first { $0.name.lowercased() == name.lowercased() }
        guard let close else {
            if attribute(named: name) != nil {
                throw InspectionError.unsuitableProperty(
                    entity: self.name, property: name, reason: "it is a value, and leads to no object.")
            }
            throw InspectionError.unknownProperty(
                entity: self.name, property: name, known: relationships.map(\.name))
        }
        return close
    }
}

/// An object's address as users type it: `Entity/p12`, or in full `x-coredata://…/Entity/p12`.
package struct ObjectAddress: Sendable, Hashable {
    package let store: String?
    package let entity: String
    package let key: Int64

    /// - Throws: `InspectionError.badAddress`.
    package init(_ text: String) throws {
        var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var store: String?
        if text.lowercased().hasPrefix("x-coredata://") {
            guard parts.count == 5 else { throw InspectionError.badAddress(text) }
            store = parts[2]
            parts.removeFirst(3)
        }
        guard parts.count == 2, !parts[0].isEmpty else { throw InspectionError.badAddress(text) }
        let digits = parts[1].hasPrefix("p") ? parts[1].dropFirst() : Substring(parts[1])
        guard let key = Int64(digits), key > 0 else { throw InspectionError.badAddress(text) }
        self.store = store
        entity = parts[0]
        self.key = key
    }

    /// - Throws: `InspectionError.unknownEntity`, `.foreignAddress`.
    package func id(in store: any Store) throws -> ObjectID {
        if let own = self.store, own.lowercased() != store.identifier.lowercased() {
            throw InspectionError.foreignAddress("x-coredata://\(own)/\(entity)/p\(key)", store: store.identifier)
        }
        return store.objectID(entity: try store.model.inspectedEntity(entity), key: key)
    }
}

extension ObjectID {
    /// `Entity/p12`.
    package var address: String { "\(entityName)/p\(key)" }
}
