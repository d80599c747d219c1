import Foundation
import ObjectGraph

/// How a descriptor is carried out.
enum FetchPlan<T: PersistentModel> {
    case query(Query)
    /// The query gives every candidate in order; the predicate and the window are applied to the models.
    case filter(Query, Predicate<T>)
}

extension ModelContext {
    func plan<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, reach: FetchReach) throws -> FetchPlan<T> {
        core.noticeOthers()
        let entity = try entity(of: T.self)
        var query = Query(entityIndex: entity.index)
        query.includesSubentities = reach == .subclasses
        query.sort = try SortTranslator(model: core.store.model, entity: entity, type: ModelType.of(T.self))
            .translate(descriptor.sortBy)
        switch try predicate(of: descriptor) {
        case .none: break
        case .expression(let expression): query.predicate = expression
        case .inMemory(let predicate): return .filter(query, predicate)
        }
        query.limit = descriptor.fetchLimit
        query.offset = descriptor.fetchOffset ?? 0
        query.slots = try slots(to: descriptor, entity)
        return .query(query)
    }

    /// Where the properties that the descriptor lists are in a row, with those that objects and prefetching need; `nil` where
    /// rows are read whole.
    func slots<T: PersistentModel>(to descriptor: FetchDescriptor<T>, _ entity: Entity) throws -> [Int]? {
        guard !descriptor.propertiesToFetch.isEmpty else { return nil }
        let type = ModelType.of(T.self)
        var slots = Set(type.constants.flatMap(\.slots))
        for keyPath in descriptor.propertiesToFetch + descriptor.relationshipKeyPathsForPrefetching
        where !type.isIdentity(keyPath) {
            guard let property = type.anyProperty(at: keyPath) else {
                throw SwiftDataError.unsupportedKeyPath.explained("\(keyPath) is not a stored property of \(T.self).")
            }
            slots.formUnion(property.slots)
        }
        // Objects of a subclass could not be made without their own constants.
        let family = entity.familyIndexes.compactMap { core.modelTypes[$0] }
        return family.contains { $0.constants.count > type.constants.count } ? nil : slots.sorted()
    }

    private enum TranslatedPredicate<T: PersistentModel> {
        case none
        case expression(QueryExpression)
        case inMemory(Predicate<T>)
    }

    private func predicate<T: PersistentModel>(
        of descriptor: FetchDescriptor<T>
    ) throws -> TranslatedPredicate<T> {
        guard let predicate = descriptor.predicate else { return .none }
        do {
            return .expression(try PredicateTranslator.translate(predicate, model: core.store.model))
        } catch let error as PredicateTranslationError {
            guard error.canEvaluateInMemory else {
                throw SwiftDataError.unsupportedPredicate.explained(error.description)
            }
            Self.logger.notice("A predicate on \(T.self) is evaluated in memory. \(error.description)")
            return .inMemory(predicate)
        }
    }

    func entity<T: PersistentModel>(of type: T.Type) throws -> Entity {
        let name = Schema.entityName(for: type)
        guard let entity = core.store.model.entity(named: name) else {
            throw SwiftDataError.unknownSchema.explained(
                "'\(name)' is not part of the container's schema; add it where the container is made.")
        }
        return entity
    }
}
