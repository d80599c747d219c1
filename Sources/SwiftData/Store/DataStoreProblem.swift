import ObjectGraph

/// A violation of the protocol by a store of the program's own class.
enum DataStoreProblem: Error, Hashable {
    case wrongValue(entity: String, property: String)
    // The next two are errors of a save that the store has carried out; the context still has all of them as unsaved changes.
    /// A saved new model without an identifier.
    case noIdentifier(ObjectID)
    /// An identifier of another store, or a temporary one.
    case foreignIdentifier(ObjectID, store: String)
    /// A save without a context.
    case noCaller
}

extension DataStoreProblem: CustomStringConvertible {
    var description: String {
        switch self {
        case .wrongValue(let entity, let property):
            "A snapshot has a value for '\(entity).\(property)' that is not of its type; encode one of the property's type "
                + "under its name."
        case .noIdentifier(let id):
            "The store saved a new \(id.entityName) and gave it no identifier; put it into the result's "
                + "remappedIdentifiers. \(Self.written)"
        case .foreignIdentifier(let id, let store):
            "The identifier \(id) is none of store \(store); make it with PersistentIdentifier.identifier(for:) and the "
                + "store's own identifier. \(Self.written)"
        case .noCaller: "A store of a program's own is saved by a context; save one."
        }
    }

    private static var written: String {
        "What was saved is in the store, and saving again would write it twice; roll the context back and fetch."
    }
}
