import Foundation
import ObjectGraph

/// The SQLite store in Apple's layout, for use by a program's own store.
///
/// It opens its file by itself, as another program would. A container with a `ModelConfiguration` does not use this class.
public final class DefaultStore: DataStore, DataStoreBatching, HistoryProviding {
    /// The type of the store's configuration.
    public typealias Configuration = ModelConfiguration
    /// The type of the store's snapshots.
    public typealias Snapshot = DefaultSnapshot
    /// The type of the store's transactions.
    public typealias HistoryType = DefaultHistoryTransaction
    /// The type of positions in the store's history.
    public typealias TokenType = DefaultHistoryToken

    /// The name of the configuration.
    public let name: String
    /// The schema of the models that the store keeps.
    public let schema: Schema
    /// The configuration that the store was opened with.
    public let configuration: ModelConfiguration
    private let container: ModelContainer

    /// The identifier of the store, a UUID in the file.
    public var identifier: String { container.store.identifier }

    private init(_ configuration: ModelConfiguration, _ container: ModelContainer) {
        name = configuration.name
        schema = container.schema
        self.configuration = configuration
        self.container = container
    }

    /// Opens the file of a configuration, or creates it.
    /// - Parameters:
    ///   - configuration: The configuration, with a schema.
    ///   - migrationPlan: The plan by which an older file is migrated; `nil` to infer the migration.
    /// - Throws: `SwiftDataError.unknownSchema` for a configuration without a schema, and the errors of
    ///   `ModelContainer.init(for:migrationPlan:configurations:)`.
    public convenience init(
        _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
    ) throws {
        guard let schema = configuration.schema else {
            throw SwiftDataError.unknownSchema.stating("Give the configuration the schema of the store's models.")
        }
        let container = try ModelContainer(
            for: schema, migrationPlan: migrationPlan, configurations: [configuration])
        SnapshotTypes.register(container.modelTypes.compactMap { $0 })
        self.init(configuration, container)
    }

    /// Deletes all models regardless of delete rules, as `ModelContainer.erase()` does.
    /// - Throws: The errors of `ModelContainer.erase()`.
    public func erase() throws { try container.erase() }

    // MARK: Reading

    private func context(_ editingState: EditingState) -> ModelContext {
        let context = ModelContext(container)
        context.author = editingState.author
        return context
    }

    private func stored<T>(_ request: DataStoreFetchRequest<T>) -> FetchDescriptor<T> {
        var descriptor = request.descriptor
        descriptor.includePendingChanges = false
        return descriptor
    }

    /// Returns snapshots of the stored models that a request finds.
    /// - Parameter request: The fetch.
    /// - Throws: The errors of `ModelContext.fetch(_:)`.
    /// - Complexity: One statement.
    public func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, DefaultSnapshot>
    where T: PersistentModel {
        let context = context(request.editingState)
        return try withExtendedLifetime(context) {
            let records = try context.records(stored(request), reach: .subclasses)
            return DataStoreFetchResult(
                descriptor: request.descriptor, fetchedSnapshots: records.map { DefaultSnapshot(of: $0) })
        }
    }

    /// Returns the number of stored models that a request finds.
    /// - Parameter request: The fetch.
    /// - Throws: The errors of `ModelContext.fetchCount(_:)`.
    /// - Complexity: One statement.
    public func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        try context(request.editingState).fetchCount(stored(request))
    }

    /// Returns the identifiers of the stored models that a request finds.
    /// - Parameter request: The fetch.
    /// - Throws: The errors of `ModelContext.fetchIdentifiers(_:)`.
    /// - Complexity: One statement.
    public func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel {
        try context(request.editingState).fetchIdentifiers(stored(request))
    }

    /// Returns nothing, as the store has no cache beside the file.
    /// - Parameters:
    ///   - persistentIdentifiers: Not used.
    ///   - editingState: Not used.
    public func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: DefaultSnapshot] { [:] }

    /// Does nothing, as the store has no state for contexts.
    /// - Parameter editingState: Not used.
    public func initializeState(for editingState: EditingState) {}
    /// Does nothing, as the store has no state for contexts.
    /// - Parameter editingState: Not used.
    public func invalidateState(for editingState: EditingState) {}

    // MARK: Writing

    /// Writes a context's changes in one transaction, with the editing state's author in the history. A new model that is
    /// listed twice is written once, with the values listed last.
    /// - Parameter request: The changes.
    /// - Returns: The permanent identifiers of the new models.
    /// - Throws: `CocoaError` 133020 for an updated model whose row does not exist, and the errors of
    ///   `ModelContext.save()`. Nothing is written then.
    public func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let context = context(request.editingState)
        var writing = SnapshotWriting(context)
        try writing.write(request)
        try context.save()
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: writing.remapped)
    }

    /// Deletes all models that match a request, with the models that cascades reach, and saves at once.
    /// - Parameter request: The bulk delete.
    /// - Throws: The errors of `ModelContext.delete(model:where:includeSubclasses:)` and `ModelContext.save()`.
    public func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel {
        let context = context(request.editingState)
        try context.delete(
            model: T.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
        try context.save()
    }

    // MARK: History

    /// The type of the store's transactions.
    public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

    /// Returns the transactions that match a descriptor.
    /// - Parameter descriptor: The transactions to fetch.
    /// - Throws: The errors of `ModelContext.fetchHistory(_:)`.
    public func fetchHistory(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [DefaultHistoryTransaction] { try ModelContext(container).fetchHistory(descriptor) }

    /// Deletes the transactions that match a descriptor from the history.
    /// - Parameter descriptor: The transactions to delete.
    /// - Throws: The errors of `ModelContext.deleteHistory(_:)`.
    public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
        try ModelContext(container).deleteHistory(descriptor)
    }
}

/// Snapshots as objects of a context, which is then saved.
private struct SnapshotWriting {
    private let context: ModelContext
    private var records: [PersistentIdentifier: Record] = [:]
    private var inserted: [PersistentIdentifier] = []

    init(_ context: ModelContext) {
        self.context = context
    }

    /// The permanent identifiers of new models, after the context is saved.
    var remapped: [PersistentIdentifier: PersistentIdentifier] {
        Dictionary(
            uniqueKeysWithValues: inserted.compactMap { id in
                records[id].map { (id, PersistentIdentifier($0.id)) }
            })
    }

    mutating func write(_ request: DataStoreSaveChangesRequest<DefaultSnapshot>) throws {
        for snapshot in request.inserted { try insert(snapshot) }
        for snapshot in request.inserted + request.updated { try set(snapshot) }
        for snapshot in request.deleted {
            guard let record = record(snapshot.persistentIdentifier) else { continue }
            try context.graph.delete([record])
        }
    }

    private mutating func insert(_ snapshot: DefaultSnapshot) throws {
        if records[snapshot.persistentIdentifier] != nil { return }
        let name = snapshot.persistentIdentifier.entityName
        guard let type = context.core.modelType(named: name), let entity = type.standaloneEntity else {
            throw SwiftDataError.unknownSchema.stating("'\(name)' is not part of the store's schema.")
        }
        let record = Record(newObjectOf: entity)
        // Before the object is created, which reads its constants from them.
        for slot in entity.attributes.flatMap(\.slots) where slot < snapshot.values.count {
            record.initializeValue(snapshot.values[slot], at: slot)
        }
        context.graph.insert((record, type.make(for: record)))
        records[snapshot.persistentIdentifier] = record
        inserted.append(snapshot.persistentIdentifier)
    }

    private mutating func record(_ id: PersistentIdentifier) -> Record? {
        if let known = records[id] { return known }
        let record = context.graph.record(for: id.objectID)
        records[id] = record
        return record
    }

    /// The model of a snapshot to be written.
    private mutating func writable(_ id: PersistentIdentifier) throws -> Record {
        if let record = record(id) {
            context.graph.fire(record)
            if !record.isGone { return record }
        }
        throw CocoaError(
            .conflict, text: "\(id) was updated, and is in the store no more; fetch again and leave it out of the save."
        )
    }

    private mutating func set(_ snapshot: DefaultSnapshot) throws {
        let record = try writable(snapshot.persistentIdentifier)
        for attribute in record.entity.attributes {
            for slot in attribute.slots where slot < snapshot.values.count {
                record.setValue(snapshot.values[slot], at: slot)
            }
        }
        for relationship in record.entity.relationships {
            if let slot = relationship.slot {
                guard slot < snapshot.values.count else { continue }
                var destination: Record?
                if case .reference(let id) = snapshot.values[slot] {
                    destination = self.record(PersistentIdentifier(id))
                }
                context.graph.setDestination(of: record, relationship, to: destination)
            } else if let members = snapshot.members[relationship.name] {
                context.graph.setMembers(of: record, relationship, to: members.compactMap { self.record($0) })
            }
        }
    }
}
