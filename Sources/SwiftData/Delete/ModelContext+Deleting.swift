import Foundation
import ObjectGraph

extension ModelContext {
    /// What deleting the models that match would take, before anything happens. Made from what is stored: unsaved work
    /// takes no part.
    /// - Parameters:
    ///   - predicate: `nil` for all models of the type.
    ///   - includeSubclasses: Whether models of classes below the type go too.
    /// - Throws: `SwiftDataError.unsupportedPredicate` for a predicate that cannot be evaluated,
    ///   `DeletionError.cannotBePlanned` for one that only memory can evaluate, or what reading the store throws.
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
        do {
            return try deletionPlan(DeleteRequest(.matching(query)))
        } catch let error as UntranslatableExpression {
            throw DeletionError.cannotBePlanned(error.description)
        }
    }

    /// The same for models by identifier, of any classes. Models that are gone already, and those never saved, are passed
    /// over.
    /// - Throws: What reading the store throws.
    public func deletionPlan(for identifiers: some Sequence<PersistentIdentifier>) throws -> DeletionPlan {
        try deletionPlan(DeleteRequest(.rows(RowSet(identifiers.map(\.objectID).filter { !$0.isTemporary }))))
    }

    private func deletionPlan(_ request: DeleteRequest) throws -> DeletionPlan {
        var request = request
        request.author = author
        request.counts = .checked
        let moment = try core.store.moment()
        let plan = try core.store.plan(request)
        request.known = DeleteRequest.KnownPlan(plan, since: moment)
        return DeletionPlan(plan: plan, request: request, core: core)
    }

    /// As `delete(model:where:includeSubclasses:)`, unless more models would go than expected.
    /// - Parameter limit: The most models that may go, those that delete rules take along included.
    /// - Throws: `DeletionError.tooManyModels`; nothing is deleted then, and nothing marked. Else as the method without
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

    /// As `delete(model:where:includeSubclasses:)`, in a way that can be taken back after the save, until it is given up:
    /// models, links, and the links that others lose are kept in the store's file. Recoverable deletes of one save are
    /// taken back together.
    /// - Returns: What it can be taken back by once it is saved; `nil` when nothing matches.
    /// - Throws: `DeletionError.cannotBePlanned` where unsaved work, or a predicate that only memory can evaluate, decides
    ///   what goes; else as the method without.
    public func deleteRecoverably<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws -> DeletionToken? {
        try deleteRecoverably(
            FetchDescriptor<T>(predicate: predicate), reach: includeSubclasses ? .subclasses : .exactType)
    }

    /// As `delete(_:)`, in a way that can be taken back after the save.
    /// - Returns: What it can be taken back by once it is saved; `nil` for a model that was never saved, which is only
    ///   taken out of the context, and for one of another context, which stays and makes the next `save()` throw.
    /// - Throws: As `deleteRecoverably(model:where:includeSubclasses:)`.
    public func deleteRecoverably<T: PersistentModel>(_ model: T) throws -> DeletionToken? {
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
        return try deleteRecoverably(query)
    }

    private func deleteRecoverably<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, reach: FetchReach
    ) throws -> DeletionToken? {
        guard case .query(let query) = try plan(descriptor, reach: reach) else {
            throw DeletionError.cannotBePlanned("its predicate cannot be evaluated by the store.")
        }
        return try deleteRecoverably(query)
    }

    private func deleteRecoverably(_ query: Query) throws -> DeletionToken? {
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
            return try graph.delete(records(descriptor, reach: reach), .query, atMost: limit)
        }
        do {
            try graph.delete(matching: query, atMost: limit)
        } catch is UntranslatableExpression {
            try graph.delete(records(descriptor, reach: reach), .query, atMost: limit)
        }
    }
}

extension ContainerCore {
    /// Tells of a delete that went past the contexts.
    func tell(_ result: DeleteResult) {
        var changes = SavedChanges()
        changes.planned = result.plan
        announce(changes)
    }
}
