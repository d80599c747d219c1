import Foundation
import ObjectGraph
import SQLiteStore

/// A manager that migrates the objects of a store to a store of another model, as a mapping model states.
///
/// The destination is saved once, at the end, so that a migration that fails leaves nothing behind: a new file is removed, and
/// an existing one is unchanged. The source is only read.
///
/// Objects of both contexts have the class `NSManagedObject`, regardless of the models' class names, so that no method of a
/// program's classes runs. Objects of the destination are validated when it is saved, after all policies have run.
nonisolated open class NSMigrationManager: NSObject, @unchecked Sendable {
    // Used by one thread at a time; cancellation and progress, which other threads may use, are guarded by the lock.

    /// The model of the store that is read.
    public let sourceModel: NSManagedObjectModel
    /// The model of the store that is written.
    public let destinationModel: NSManagedObjectModel
    /// The mapping model of the current migration.
    open private(set) var mappingModel: NSMappingModel = NSMappingModel()
    /// The context of the store that is read, while a migration runs.
    open private(set) var sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    /// The context of the store that is written, while a migration runs.
    open private(set) var destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    /// The entity mapping whose objects are being migrated.
    open private(set) var currentEntityMapping = NSEntityMapping()
    /// A Boolean value that states whether an inferred mapping is carried out by the store itself, with statements instead of
    /// objects: `true`, unless set. Identifiers of objects stay the same then.
    open var usesStoreSpecificMigrationManager = true
    /// Information for the program's own use.
    open var userInfo: [AnyHashable: Any]?

    /// The property mapping whose value is being computed.
    final var currentPropertyMapping: NSPropertyMapping?
    /// Receives the progress of the migration, and can stop it.
    final var observer: MigrationProgress?
    final var functionFailure: (any Error)?
    private var associations = MigrationAssociations()
    private let state = Locked(State())

    private struct State {
        var progress: Float = 0
        var cancellation: (any Error)?
    }

    /// Creates a manager for migrations between two models.
    /// - Parameters:
    ///   - sourceModel: the model of the store that is read.
    ///   - destinationModel: the model of the store that is written.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
    }

    /// The progress of the migration, from 0 to 1. It may be read on any thread.
    open var migrationProgress: Float { state.withLock { $0.progress } }

    /// Stops the migration at the next object, from any thread.
    /// - Parameter error: the error that the migration throws.
    open func cancelMigrationWithError(_ error: any Error) {
        state.withLock { $0.cancellation = error }
    }

    /// Discards associations, contexts and a cancellation, for another migration.
    open func reset() {
        associations = MigrationAssociations()
        mappingModel = NSMappingModel()
        sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        state.withLock { $0 = State() }
    }

    // MARK: Entities

    /// Returns the source entity of a mapping: that of the objects in `sourceContext`, or, before a migration by objects, that
    /// of `sourceModel`.
    /// - Parameter mEntity: the entity mapping.
    /// - Returns: `nil` for a mapping without a source.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        let model = sourceContext.persistentStoreCoordinator?.managedObjectModel ?? sourceModel
        return mEntity.sourceEntityName.flatMap { model.entitiesByName[$0] }
    }

    /// Returns the destination entity of a mapping: that of the objects in `destinationContext`, or, before a migration by
    /// objects, that of `destinationModel`.
    /// - Parameter mEntity: the entity mapping.
    /// - Returns: `nil` for a mapping without a destination.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        let model = destinationContext.persistentStoreCoordinator?.managedObjectModel ?? destinationModel
        return mEntity.destinationEntityName.flatMap { model.entitiesByName[$0] }
    }

    // MARK: Associations

    /// Associates a source object with a new object. One object may become several, and several one.
    /// - Parameters:
    ///   - sourceInstance: the source object.
    ///   - destinationInstance: the new object.
    ///   - entityMapping: the entity mapping.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        associations.add(sourceInstance, destinationInstance, entityMapping.name ?? "")
    }

    /// Returns the new objects of source objects.
    /// - Parameters:
    ///   - mappingName: the name of the mapping; `nil` or empty for all mappings.
    ///   - sourceInstances: the source objects; `nil` for all.
    open func destinationInstances(
        forEntityMappingName mappingName: String?, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        associations.destinations(mappingName, of: sourceInstances)
    }

    /// Returns the source objects of new objects.
    /// - Parameters:
    ///   - mappingName: the name of the mapping; `nil` or empty for all mappings.
    ///   - destinationInstances: the new objects; `nil` for all.
    open func sourceInstances(
        forEntityMappingName mappingName: String?, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        associations.sources(mappingName, of: destinationInstances)
    }

    /// The new objects of a value's source objects that a relationship can refer to; new objects in the value are used themselves.
    /// - Throws: `CocoaError` 134110 for a new object that the relationship cannot refer to.
    final func destinationObjects(
        _ value: Any?, for relationship: NSRelationshipDescription
    ) throws -> [NSManagedObject] {
        try Self.objects(in: value).flatMap { object in
            guard object.managedObjectContext === destinationContext else {
                return destinations(of: [object], fitting: relationship)
            }
            guard relationship.takes(object) else {
                throw CocoaError(
                    .migration,
                    text: "The mapping of '\(relationship.entity.name ?? "").\(relationship.name)' gives an object of "
                        + "'\(object.entity.name ?? "")', which cannot stand there; change the mapping.")
            }
            return [object]
        }
    }

    /// One source object may become several, of different entities.
    final func destinations(
        of sources: [NSManagedObject], fitting relationship: NSRelationshipDescription?
    ) -> [NSManagedObject] {
        let found = associations.destinations(nil, of: sources)
        return relationship.map { relationship in found.filter(relationship.takes) } ?? found
    }

    static func objects(in value: Any?) -> [NSManagedObject] {
        switch value {
        case let object as NSManagedObject: [object]
        case let objects as [Any]: objects.compactMap { $0 as? NSManagedObject }
        case let objects as Set<NSManagedObject>: Array(objects)
        case let objects as NSOrderedSet: objects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    /// Returns the value of `FUNCTION($manager, "name", …)` in an expression of the mapping.
    ///
    /// The functions are `destinationInstancesForEntityMappingNamed:sourceInstances:`,
    /// `destinationInstancesForSourceRelationshipNamed:sourceInstances:`, `fetchRequestForSourceEntityNamed:predicateString:`,
    /// the same with `includesSubentities:`, and the manager's properties. A subclass may add functions, because methods cannot
    /// be called by name here.
    /// - Parameters:
    ///   - name: the name of the function.
    ///   - arguments: the values of its arguments.
    /// - Throws: `CocoaError` 134110 for an unknown function or unsuitable arguments; the migration ends with it.
    open func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
        try MappingFunctions(manager: self).value(of: name, arguments)
    }

    // MARK: Migrating

    /// Whether a mapping model is inferred, and has not been edited since.
    private func isAsInferred(_ mapping: NSMappingModel) throws -> Bool {
        guard mapping.isInferred else { return false }
        let inferred = try NSMappingModel.inferredMappingModel(
            forSourceModel: sourceModel, destinationModel: destinationModel)
        return mapping.contents == inferred.contents
    }

    /// Migrates the objects of a store to another store.
    /// - Parameters:
    ///   - sURL: the URL of the store to read.
    ///   - sStoreType: its type.
    ///   - sOptions: its options.
    ///   - mappings: the mapping model; `nil` infers one.
    ///   - dURL: the URL of the store to write, which is created, or to whose objects the migrated ones are added.
    ///   - dStoreType: its type.
    ///   - dOptions: its options.
    /// - Throws: `CocoaError` 134150 for a source and 134160 for a destination that cannot be opened, 134170 for a policy that
    ///   is not found, 134190 for a mapping that cannot be inferred, 134110 for one that does not fit the models; the error of
    ///   `cancelMigrationWithError`; errors of policies, and of saving.
    /// - Complexity: Of a migration by objects, all objects are in memory at once.
    open func migrateStore(
        from sURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        let mapping =
            try mappings
            ?? NSMappingModel.inferredMappingModel(forSourceModel: sourceModel, destinationModel: destinationModel)
        mappingModel = mapping
        try check(mapping)
        if usesStoreSpecificMigrationManager, sStoreType == NSSQLiteStoreType, dStoreType == NSSQLiteStoreType,
            !FileManager.default.fileExists(atPath: dURL.path), try isAsInferred(mapping)
        {
            return try migrateFile(sURL, dURL)
        }
        let isNew = !FileManager.default.fileExists(atPath: dURL.path)
        do {
            let stack = try open(
                MigrationStack.Place(url: sURL, type: sStoreType, options: sOptions),
                MigrationStack.Place(url: dURL, type: dStoreType, options: dOptions))
            defer { stack.close() }
            try MigrationRounds(manager: self, mappings: mapping.entityMappings ?? []).run()
            try destinationContext.save()
        } catch {
            if isNew { try? StoreFiles.remove(at: dURL) }
            throw error
        }
        report(1)
    }

    /// Migrates the objects of a store to another store.
    /// - Parameters:
    ///   - sourceURL: the URL of the store to read.
    ///   - sourceType: its type.
    ///   - sourceOptions: its options.
    ///   - mapping: the mapping model; `nil` infers one.
    ///   - destinationURL: the URL of the store to write, which is created, or to whose objects the migrated ones are added.
    ///   - destinationType: its type.
    ///   - destinationOptions: its options.
    /// - Throws: `CocoaError` 134150 for a source and 134160 for a destination that cannot be opened, 134170 for a policy that
    ///   is not found, 134190 for a mapping that cannot be inferred, 134110 for one that does not fit the models; the error of
    ///   `cancelMigrationWithError`; errors of policies, and of saving.
    /// - Complexity: Of a migration by objects, all objects are in memory at once.
    public func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil,
        mapping: NSMappingModel?, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
            toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
            destinationOptions: destinationOptions)
    }

    private func check(_ mapping: NSMappingModel) throws {
        for mapping in mapping.entityMappings ?? [] {
            let ends = [
                (mapping.sourceEntityName, mapping.sourceEntityVersionHash, sourceModel),
                (mapping.destinationEntityName, mapping.destinationEntityVersionHash, destinationModel),
            ]
            for case (let name?, let hash, let model) in ends {
                let entity = model.entitiesByName[name]
                guard let entity, hash == nil || entity.versionHash == hash else {
                    throw CocoaError(
                        .migration,
                        text:
                            "Mapping '\(mapping.name ?? "")' is for another version of entity '\(name)' than the models "
                            + "have; make it anew.")
                }
            }
        }
    }

    private func migrateFile(_ source: URL, _ destination: URL) throws {
        do {
            try StoreFiles.copy(from: source, to: destination)
        } catch {
            throw MigrationStack.failure(.migrationManagerSourceStore, source, error)
        }
        do {
            var migration = StoreMigration(destination, to: try destinationModel.compiled())
            migration.candidates = [try sourceModel.compiled()]
            migration.report = { [unowned self] done, total in
                try self.checkCancellation()
                self.report(total == 0 ? 1 : Float(done) / Float(total))
            }
            _ = try migration.run()
        } catch {
            try? StoreFiles.remove(at: destination)
            throw checkedCancellation ?? ErrorMapping.migrating(error)
        }
        report(1)
    }

    private func open(_ source: MigrationStack.Place, _ destination: MigrationStack.Place) throws -> MigrationStack {
        let stack = try MigrationStack(from: source, sourceModel, to: destination, destinationModel)
        associations = MigrationAssociations()
        sourceContext = stack.source
        destinationContext = stack.destination
        return stack
    }

    // MARK: Progress

    final func begin(_ mapping: NSEntityMapping, progress: Float) throws {
        currentEntityMapping = mapping
        report(progress)
        try observer?.report(done: Int(progress * 1000), of: 1000)
    }

    private func report(_ progress: Float) {
        state.withLock { $0.progress = progress }
    }

    private var checkedCancellation: (any Error)? { state.withLock { $0.cancellation } }

    final func checkCancellation() throws {
        if let error = checkedCancellation { throw error }
        try observer?.checkCancellation()
    }
}
