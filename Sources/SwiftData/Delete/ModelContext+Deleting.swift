import Foundation
import ObjectGraph
import StoreDeletion

extension ModelContext {
    /// What deleting the models that match would do, before anything is written. Made from what is stored: unsaved work has
    /// no part in it.
    /// - Parameters:
    ///   - predicate: `nil` for all models of the type.
    ///   - includeSubclasses: Whether models of classes below the type go too.
    /// - Throws: `SwiftDataError.unsupportedPredicate` for a predicate that cannot be evaluated,
    ///   `DeletionError.cannotBePlanned` (134060) for one that only memory can evaluate, `.notSupported` (134091) for a store of
    ///   the program's own, or what reading the store throws.
    /// - Complexity: One statement or two for each relationship of each class reached, and each level of a cascade.
    public func deletionPlan<T: PersistentModel>(
        for model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws -> DeletionPlan {
        try deletionPlan(for: FetchDescriptor<T>(predicate: predicate), includeSubclasses: includeSubclasses)
    }

    /// The same for the models a descriptor picks, order, offset and limit included.
    /// - Throws: As for a predicate.
    public func deletionPlan<T: PersistentModel>(
        for descriptor: FetchDescriptor<T>, includeSubclasses: Bool = true
    ) throws -> DeletionPlan {
        guard case .query(let query) = try plan(descriptor, reach: includeSubclasses ? .subclasses : .exactType) else {
            throw DeletionError.cannotBePlanned("its predicate cannot be evaluated by the store.")
        }
        return try deletionPlan(DeleteRequest(.matching(query)))
    }

    /// The same for models by identifier, of any classes. Models that are gone already, and those never saved, are passed
    /// over.
    /// - Throws: `DeletionError.notSupported` (134091) for a store of the program's own, or what reading the store throws.
    public func deletionPlan(for identifiers: some Sequence<PersistentIdentifier>) throws -> DeletionPlan {
        try deletionPlan(DeleteRequest(.rows(RowSet(identifiers.map(\.objectID).filter { !$0.isTemporary }))))
    }

    private func deletionPlan(_ request: DeleteRequest) throws -> DeletionPlan {
        var request = request
        request.author = author
        request.counts = .checked
        let core = core
        return try core.mappingErrors {
            let store = try core.store.requireSetDeleting()
            let moment = try store.moment()
            let plan = try store.plan(request)
            request.known = DeleteRequest.KnownPlan(plan, since: moment)
            return DeletionPlan(plan, ContainerDeletion(core: core, request: request))
        }
    }

    /// As `delete(model:where:includeSubclasses:)`, unless more models would go than expected.
    /// - Parameter limit: The most models that may go, those that delete rules take along included.
    /// - Throws: `DeletionError.tooManyRows` (134070); nothing is deleted then, and nothing marked. Else as the method without
    ///   a limit.
    public func delete<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true, limit: Int
    ) throws {
        do {
            try delete(matching: predicate, includeSubclasses: includeSubclasses, limit: limit)
        } catch {
            throw ErrorMapping.saving(error)
        }
    }

    /// As `delete(model:where:includeSubclasses:)`, and the save archives the models, their links, and the links that other
    /// models lose in the store's file, until they are restored or discarded. What one save archives is restored together.
    /// - Returns: The token to restore it by once it is saved; `nil` when nothing matches.
    /// - Throws: `DeletionError.cannotBePlanned` (134060) where unsaved work, or a predicate that only memory can evaluate,
    ///   decides what goes; else as `delete(model:where:includeSubclasses:)`.
    public func deleteAndArchive<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws -> DeletionToken? {
        try deleteAndArchive(
            FetchDescriptor<T>(predicate: predicate), reach: includeSubclasses ? .subclasses : .exactType)
    }

    /// As `delete(_:)`, and the save archives the model and those that cascades reach, as
    /// `deleteAndArchive(model:where:includeSubclasses:)` does.
    /// - Returns: The token to restore it by once it is saved; `nil` for a model that was never saved, which is only
    ///   taken out of the context, and for one of another context, which stays and makes the next `save()` throw.
    /// - Throws: As `deleteAndArchive(model:where:includeSubclasses:)`.
    public func deleteAndArchive<T: PersistentModel>(_ model: T) throws -> DeletionToken? {
        guard model.record.graph === graph else {
            graph.refuseDeletion(of: model.record)
            return nil
        }
        guard !model.record.id.isTemporary else {
            delete(model)
            return nil
        }
        var query = Query(entityIndex: model.record.entity.index)
        query.predicate = .isMember(.identity(.variable(.root)), of: [.reference(model.record.id)])
        return try deleteAndArchive(query)
    }

    private func deleteAndArchive<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, reach: FetchReach
    ) throws -> DeletionToken? {
        guard case .query(let query) = try plan(descriptor, reach: reach) else {
            throw DeletionError.cannotBePlanned("its predicate cannot be evaluated by the store.")
        }
        return try deleteAndArchive(query)
    }

    private func deleteAndArchive(_ query: Query) throws -> DeletionToken? {
        do {
            return try graph.deleteRecoverably(matching: query).map(DeletionToken.init)
        } catch let error as UntranslatableExpression {
            throw DeletionError.cannotBePlanned(error.description)
        } catch {
            throw ErrorMapping.saving(error)
        }
    }

    func delete<T: PersistentModel>(matching predicate: Predicate<T>?, includeSubclasses: Bool, limit: Int?) throws {
        let descriptor = FetchDescriptor<T>(predicate: predicate)
        let reach: FetchReach = includeSubclasses ? .subclasses : .exactType
        if try deleteInDataStore(descriptor, reach, limit: limit) { return }
        guard case .query(let query) = try plan(descriptor, reach: reach) else {
            return try graph.delete(rows: RowSet(records(descriptor, reach: reach).map(\.id)), atMost: limit)
        }
        do {
            try graph.delete(matching: query, atMost: limit)
        } catch is UntranslatableExpression {
            try graph.delete(rows: RowSet(records(descriptor, reach: reach).map(\.id)), atMost: limit)
        }
    }
}
