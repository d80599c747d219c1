import Foundation
import ObjectGraph

/// Stores of classes registered by programs.
extension NSPersistentStoreCoordinator {
    /// The parameters of a store to be opened.
    struct StorePlan {
        let type: String
        let configuration: String?
        let url: URL?
        let options: [AnyHashable: Any]?
        /// The model of the store's entities.
        let model: Model
    }

    /// - Throws: `CocoaError` 134010 for a store of another type, 134100 for one that was written with another model, 134080 for a
    ///   model that an atomic store cannot keep, 134000 for an unsuitable class, and errors of the class.
    final func makeStore(_ storeClass: NSPersistentStore.Type, _ plan: StorePlan) throws -> NSPersistentStore {
        let store = storeClass.init(
            persistentStoreCoordinator: self, configurationName: plan.configuration,
            at: plan.url ?? NSPersistentStore.nowhere, options: plan.options)
        try store.loadMetadata()
        let metadata = store.metadata ?? [:]
        try checkType(of: metadata, plan)
        try checkModel(of: metadata, plan)
        if store is NSAtomicStore { try checkAtomic(plan.model) }
        let identifier = try identifier(of: store, metadata, plan)
        let isReadOnly = StoreOptions.isOn(NSReadOnlyPersistentStoreOption, plan.options)
        guard let rows = rows(of: store, plan) else {
            throw CocoaError(
                .persistentStoreInvalidType,
                text: "\(storeClass) is no class of stores; derive it from NSAtomicStore or NSIncrementalStore.")
        }
        store.attach(
            ObjectStore(identifier: identifier, model: plan.model, isReadOnly: isReadOnly, rows: rows), type: plan.type)
        store.metadata = metadata
        try (store as? NSAtomicStore)?.load()
        return store
    }

    private func rows(of store: NSPersistentStore, _ plan: StorePlan) -> (any ObjectRows)? {
        switch store {
        case let store as NSAtomicStore: AtomicRows(store, plan.model)
        case let store as NSIncrementalStore: IncrementalRows(store, plan.model)
        default: nil
        }
    }

    private func checkType(of metadata: [String: Any], _ plan: StorePlan) throws {
        guard let type = metadata[NSStoreTypeKey] as? String, type != plan.type else { return }
        throw CocoaError(
            .persistentStoreTypeMismatch,
            text: "The store is of type '\(type)', not '\(plan.type)'; add it with its own type.")
    }

    /// Atomic stores do not compute derived attributes.
    private func checkAtomic(_ model: Model) throws {
        guard
            let entity = model.entities.first(where: { entity in
                entity.attributes.contains { $0.attribute.isDerived }
            })
        else { return }
        throw CocoaError(
            .persistentStoreOpen,
            text: "Core Data provided atomic stores do not support derived properties; '\(entity.name)' has one.")
    }

    /// A store without version hashes accepts any model.
    private func checkModel(of metadata: [String: Any], _ plan: StorePlan) throws {
        guard NSManagedObjectModel.versionHashes(in: metadata) != nil,
            !managedObjectModel.isConfiguration(withName: plan.configuration, compatibleWithStoreMetadata: metadata)
        else { return }
        throw CocoaError(
            .persistentStoreIncompatibleVersionHash,
            text: "The store was written with another model; open it with that one.")
    }

    /// The store's identifier, which is part of those of its objects, and so of URIs.
    private func identifier(
        of store: NSPersistentStore, _ metadata: [String: Any], _ plan: StorePlan
    ) throws -> String {
        let identifier = metadata[NSStoreUUIDKey] as? String ?? newIdentifier(of: store, plan)
        guard !identifier.isEmpty, identifier.utf8.allSatisfy(Self.mayStandInURI) else {
            throw CocoaError(
                .persistentStoreOpen,
                text:
                    "The store's identifier '\(identifier)' cannot stand in a URI; use ASCII letters, digits, '-' and '.'."
            )
        }
        return identifier
    }

    private static func mayStandInURI(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private func newIdentifier(of store: NSPersistentStore, _ plan: StorePlan) -> String {
        let storeClass = Swift.type(of: store) as? NSIncrementalStore.Type
        let identifier = storeClass?.identifierForNewStore(at: plan.url ?? NSPersistentStore.nowhere)
        return identifier.map { "\($0)" } ?? UUID().uuidString
    }
}

// MARK: Identifiers in URIs

extension CoordinatorCore {
    /// The URI with the store's own reference in place of the key, which is valid only while the store is open.
    func uriText(of id: ObjectID) -> String? {
        guard let identifier = id.storeIdentifier, let table = references(of: identifier),
            let text = table.text(of: id.key)
        else { return nil }
        return "x-coredata://\(identifier)/\(id.entityName)/p\(text)"
    }

    /// - Returns: `nil` for a URI of another form, or of a store that identifies its objects by key.
    func objectID(ofReferenceIn uri: URL) -> ObjectID? {
        let parts = uri.absoluteString.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard parts.count == 4, parts[0] == "x-coredata:", parts[3].hasPrefix("p"), parts[3].count > 1,
            let table = references(of: parts[1]), model.entity(named: parts[2]) != nil
        else { return nil }
        let key = table.key(ofText: String(parts[3].dropFirst()), entity: parts[2])
        return ObjectID(space: .intern(storeIdentifier: parts[1], entityName: parts[2]), key: key)
    }

    private func references(of identifier: String) -> ReferenceTable? {
        guard stores.hasObjectStores else { return nil }
        let store = persistentStore(identifier: identifier)
        return (store as? NSAtomicStore)?.references ?? (store as? NSIncrementalStore)?.references
    }
}
