import ObjectGraph

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
