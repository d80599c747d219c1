import Foundation
import ObjectGraph
import SQLiteStore

/// Brings the objects of a store to a store of another model, as a mapping model says.
///
/// The destination is saved once, at the end, so that a migration that fails leaves nothing behind: a file that it made is
/// removed, and one that was there is as it was. The source is only read.
///
/// Objects of both contexts are of the class `NSManagedObject`, regardless of the models' class names, so that no method of a
/// program's classes runs. Objects of the destination are validated when it is saved, after all policies have run.
nonisolated open class NSMigrationManager: NSObject, @unchecked Sendable {
    // Used by one thread at a time; cancelling and progress, which may come from elsewhere, are under the lock.

    public let sourceModel: NSManagedObjectModel
    public let destinationModel: NSManagedObjectModel
    /// Of the migration that runs.
    open private(set) var mappingModel: NSMappingModel = NSMappingModel()
    /// With the store that is read, while a migration runs.
    open private(set) var sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    /// With the store that is written, while a migration runs.
    open private(set) var destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    /// The one whose objects are at work.
    open private(set) var currentEntityMapping = NSEntityMapping()
    /// Whether an inferred mapping is carried out by the store itself, with statements instead of objects. Identifiers of
    /// objects stay the same then.
    open var usesStoreSpecificMigrationManager = true
    open var userInfo: [AnyHashable: Any]?

    /// The one whose value is being made.
    final var currentPropertyMapping: NSPropertyMapping?
    /// Told how far the migration is; it may stop it.
    final var observer: MigrationProgress?
    final var functionFailure: (any Error)?
    private var associations = MigrationAssociations()
    private let state = Locked(State())

    private struct State {
        var progress: Float = 0
        var cancellation: (any Error)?
    }

    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
    }

    /// From 0 to 1.
    open var migrationProgress: Float { state.withLock { $0.progress } }

    /// Stops the migration at the next object; it throws the error. From any thread.
    open func cancelMigrationWithError(_ error: any Error) {
        state.withLock { $0.cancellation = error }
    }

    /// Forgets associations, contexts and a cancellation, for another migration.
    open func reset() {
        associations = MigrationAssociations()
        mappingModel = NSMappingModel()
        sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        state.withLock { $0 = State() }
    }

    // MARK: Entities

    /// The entity of the objects in `sourceContext`; before a migration by objects, that of `sourceModel`.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        let model = sourceContext.persistentStoreCoordinator?.managedObjectModel ?? sourceModel
        return mEntity.sourceEntityName.flatMap { model.entitiesByName[$0] }
    }

    /// The entity of the objects in `destinationContext`; before a migration by objects, that of `destinationModel`.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        let model = destinationContext.persistentStoreCoordinator?.managedObjectModel ?? destinationModel
        return mEntity.destinationEntityName.flatMap { model.entitiesByName[$0] }
    }

    // MARK: Associations

    /// Notes what became of a source object. One object may become several, and several one.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        associations.add(sourceInstance, destinationInstance, entityMapping.name ?? "")
    }

    /// - Parameters:
    ///   - mappingName: `nil` or empty for all mappings.
    ///   - sourceInstances: `nil` for all.
    open func destinationInstances(
        forEntityMappingName mappingName: String?, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        associations.destinations(mappingName, of: sourceInstances)
    }

    /// The way back.
    open func sourceInstances(
        forEntityMappingName mappingName: String?, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        associations.sources(mappingName, of: destinationInstances)
    }

    /// What became of a value's source objects and may stand in the relationship; objects that are new already are
    /// themselves.
    /// - Throws: `CocoaError` 134110 for a new object that may not stand there.
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

    /// What `FUNCTION($manager, "name", …)` in an expression of the mapping gives.
    ///
    /// Known are `destinationInstancesForEntityMappingNamed:sourceInstances:`,
    /// `destinationInstancesForSourceRelationshipNamed:sourceInstances:`,
    /// `fetchRequestForSourceEntityNamed:predicateString:`, the same with `includesSubentities:`, and the manager's properties.
    /// A subclass adds functions of its own, as there are no methods by name here.
    /// - Throws: `CocoaError` 134110 for a function that is not known, or that gets what it cannot take; the migration
    ///   ends with it.
    open func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
        try MappingFunctions(manager: self).value(of: name, arguments)
    }

    // MARK: Migrating

    /// - Parameters:
    ///   - sURL: the store to read.
    ///   - mappings: `nil` infers the mapping.
    ///   - dURL: the store to write; made where there is none, else the objects are added to those that are there.
    /// - Throws: `CocoaError` 134150 for a source and 134160 for a destination that cannot be opened, 134170 for a policy
    ///   that is not found, 134190 for a mapping that cannot be inferred, 134110 for one that does not fit the models, the
    ///   error of `cancelMigrationWithError`, what policies throw, and what saving throws.
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
        if mapping.isInferred, usesStoreSpecificMigrationManager, sStoreType == NSSQLiteStoreType,
            dStoreType == NSSQLiteStoreType, !FileManager.default.fileExists(atPath: dURL.path)
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
