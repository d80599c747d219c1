import Foundation
import ObjectGraph

/// The way in which a descriptor is evaluated.
enum FetchPlan<T: PersistentModel> {
    case query(Query)
    /// The query finds the candidates; the rest is evaluated over the models.
    case inMemory(Query, ModelSelection<T>)
}

/// The conditions and the order that the store cannot evaluate.
struct ModelSelection<T: PersistentModel> {
    /// `nil` if all candidates match.
    var predicate: DividedPredicate<T>?
    /// `nil` if the candidates are in order already.
    var order: [SortDescriptor<T>]?

    var isNothing: Bool { predicate == nil && order == nil }

    /// - Throws: The errors of evaluating the predicate.
    func selected(_ candidates: [Record], in context: ModelContext) throws -> [Record] {
        let evaluator = QueryEvaluator(GraphObjects(graph: context.graph, model: context.core.store.model))
        var found: [(record: Record, model: T)] = []
        for record in candidates {
            guard let model = context.model(of: record, as: T.self),
                try predicate?.holds(for: model, record, evaluator) ?? true
            else { continue }
            found.append((record, model))
        }
        if let order { found.sort { order.isAscending($0.model, $1.model) } }
        return found.map(\.record)
    }
}

extension Array {
    /// Whether one value comes strictly before the other by the first descriptor that distinguishes them.
    fileprivate func isAscending<Compared>(_ one: Compared, _ other: Compared) -> Bool
    where Element == SortDescriptor<Compared> {
        for descriptor in self {
            switch descriptor.compare(one, other) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return false
    }
}

extension ModelContext {
    func plan<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, reach: FetchReach) throws -> FetchPlan<T> {
        core.noticeOthers()
        let entity = try entity(of: T.self)
        var query = Query(entityIndex: entity.index)
        query.includesSubentities = reach == .subclasses
        var selection = ModelSelection<T>()
        if let keys = try order(of: descriptor, entity) {
            query.sort = keys
        } else {
            selection.order = descriptor.sortBy
        }
        switch try predicate(of: descriptor) {
        case .none: break
        case .expression(let expression): query.predicate = expression
        case .inMemory(let predicate):
            selection.predicate = predicate
            query.predicate = predicate.narrowing
        }
        guard selection.isNothing else { return .inMemory(query, selection) }
        query.limit = descriptor.fetchLimit
        query.offset = descriptor.fetchOffset ?? 0
        query.slots = try slots(to: descriptor, entity)
        return .query(query)
    }

    /// The slots of the properties that the descriptor lists, and of those that objects and prefetching need; `nil` if rows
    /// are read whole.
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
        // Objects of a subclass could not be created without the constants of that class.
        let family = entity.familyIndexes.compactMap { core.modelTypes[$0] }
        return family.contains { $0.constants.count > type.constants.count } ? nil : slots.sorted()
    }

    /// `nil` for an order that only memory can evaluate.
    private func order<T: PersistentModel>(of descriptor: FetchDescriptor<T>, _ entity: Entity) throws -> [SortKey]? {
        let translator = SortTranslator(model: core.store.model, entity: entity, type: ModelType.of(T.self))
        do {
            return try translator.translate(descriptor.sortBy)
        } catch let error as PredicateTranslationError {
            guard case .needsMemory = error else {
                throw SwiftDataError.unsupportedSortDescriptor.explained(error.description)
            }
            Self.logger.notice("\(T.self) is sorted in memory. \(error.description)")
            return nil
        }
    }

    private enum TranslatedPredicate<T: PersistentModel> {
        case none
        case expression(QueryExpression)
        case inMemory(DividedPredicate<T>)
    }

    private func predicate<T: PersistentModel>(
        of descriptor: FetchDescriptor<T>
    ) throws -> TranslatedPredicate<T> {
        guard let predicate = descriptor.predicate else { return .none }
        do {
            return try translated(predicate)
        } catch let error as PredicateTranslationError {
            throw SwiftDataError.unsupportedPredicate.explained(error.description)
        } catch let error as PredicateError {
            // Parts that depend on captured values only are evaluated at once; this is their error.
            throw SwiftDataError.unsupportedPredicate.explained(String(describing: error))
        }
    }

    private func translated<T: PersistentModel>(_ predicate: Predicate<T>) throws -> TranslatedPredicate<T> {
        do {
            return .expression(try PredicateTranslator.translate(predicate, model: core.store.model))
        } catch let error as PredicateTranslationError where error.canEvaluateInMemory {
            let divided = try PredicateTranslator.divide(predicate, model: core.store.model)
            Self.logger.notice("A predicate on \(T.self) is evaluated in memory. \(error.description)")
            return .inMemory(divided)
        }
    }

    func entity<T: PersistentModel>(of type: T.Type) throws -> Entity {
        let name = Schema.entityName(for: type)
        guard let entity = core.store.model.entity(named: name) else {
            throw SwiftDataError.unknownSchema.stating(GraphError.unknownEntity(name).description)
        }
        guard core.isClass(type, of: entity) else {
            throw SwiftDataError.unknownSchema.stating(GraphError.otherClass(name).description)
        }
        return entity
    }
}
