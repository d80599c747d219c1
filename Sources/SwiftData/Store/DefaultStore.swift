import Foundation
import ObjectGraph

/// The store that containers use unless they are told otherwise, as a program's own store may use it: SQLite, in Apple's
/// layout.
///
/// It opens its file by itself, as another program would. A container with a `ModelConfiguration` does not go through it.
public final class DefaultStore: DataStore, DataStoreBatching, HistoryProviding {
    public typealias Configuration = ModelConfiguration
    public typealias Snapshot = DefaultSnapshot
    public typealias HistoryType = DefaultHistoryTransaction
    public typealias TokenType = DefaultHistoryToken

    public let name: String
    public let schema: Schema
    public let configuration: ModelConfiguration
    private let container: ModelContainer

    /// The UUID in the file.
    public var identifier: String { container.store.identifier }

    private init(_ configuration: ModelConfiguration, _ container: ModelContainer) {
        name = configuration.name
        schema = container.schema
        self.configuration = configuration
        self.container = container
    }

    /// Opens the file of a configuration with a schema, or makes it.
    /// - Throws: As `ModelContainer.init(for:migrationPlan:configurations:)`; `SwiftDataError.unknownSchema` for a
    ///   configuration without a schema.
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

    /// As `ModelContainer.erase()`.
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

    /// - Throws: As `ModelContext.fetch(_:)`.
    public func fetch<T>(_ request: DataStoreFetchRequest<T>) throws -> DataStoreFetchResult<T, DefaultSnapshot>
    where T: PersistentModel {
        let context = context(request.editingState)
        return try withExtendedLifetime(context) {
            let records = try context.records(stored(request), reach: .subclasses)
            return DataStoreFetchResult(
                descriptor: request.descriptor, fetchedSnapshots: records.map { DefaultSnapshot(of: $0) })
        }
    }

    /// - Throws: As `ModelContext.fetchCount(_:)`.
    public func fetchCount<T>(_ request: DataStoreFetchRequest<T>) throws -> Int where T: PersistentModel {
        try context(request.editingState).fetchCount(stored(request))
    }

    /// - Throws: As `ModelContext.fetchIdentifiers(_:)`.
    public func fetchIdentifiers<T>(_ request: DataStoreFetchRequest<T>) throws -> [PersistentIdentifier]
    where T: PersistentModel {
        try context(request.editingState).fetchIdentifiers(stored(request))
    }

    /// Nothing is kept beside the file.
    public func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: DefaultSnapshot] { [:] }

    public func initializeState(for editingState: EditingState) {}
    public func invalidateState(for editingState: EditingState) {}

    // MARK: Writing

    /// One transaction, with the editing state's author in the history. A new model that is listed twice is written once,
    /// as it is listed last.
    /// - Throws: As `ModelContext.save()`; `CocoaError` 133020 for an updated model whose row is gone. Nothing is written
    ///   then.
    public func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let context = context(request.editingState)
        var writing = SnapshotWriting(context)
        try writing.write(request)
        try context.save()
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: writing.remapped)
    }

    /// As `ModelContext.delete(model:where:includeSubclasses:)`, saved at once.
    public func delete<T>(_ request: DataStoreBatchDeleteRequest<T>) throws where T: PersistentModel {
        let context = context(request.editingState)
        try context.delete(
            model: T.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
        try context.save()
    }

    // MARK: History

    public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

    /// As `ModelContext.fetchHistory(_:)`.
    public func fetchHistory(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [DefaultHistoryTransaction] { try ModelContext(container).fetchHistory(descriptor) }

    /// As `ModelContext.deleteHistory(_:)`.
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

    /// Once the context is saved: what new models are known by.
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
        // Before the object is made, which takes its constants from them.
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

    /// The model of a snapshot that is to be written.
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
