import Foundation
import ObjectGraph
import PredicateFormat

/// Decides how changed objects affect the results of one request.
struct ResultTracking {
    let request: NSFetchRequest<any NSFetchRequestResult>
    private let plan: RequestPlan
    private let context: NSManagedObjectContext
    private let dependencies: QueryDependencies
    /// Whether a matching object may displace another one.
    private let isLimited: Bool

    /// The possible effect of a change on the results.
    enum Reach {
        case nothing
        /// Only the changed objects may be inserted, deleted or moved.
        case themselves
        case everything
    }

    /// - Throws: `CocoaError` 134060 for a request that the model does not allow.
    init(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ sectionNameKeyPath: String?,
        _ context: NSManagedObjectContext
    ) throws {
        self.request = request
        self.context = context
        let plan = try RequestPlan(request, context.core)
        self.plan = plan
        isLimited = plan.query.hasWindow || plan.excludesStores(context.core)
        var dependencies = plan.query.dependencies(in: context.core.model)
        if let sectionNameKeyPath, sectionNameKeyPath.contains(".") {
            dependencies.formUnion(Self.dependencies(of: sectionNameKeyPath, plan.table.entity, context.core.model))
        }
        self.dependencies = dependencies
    }

    /// A key path that only the program's classes can resolve has no dependencies.
    private static func dependencies(of keyPath: String, _ entity: Entity, _ model: Model) -> QueryDependencies {
        do throws(FormatTranslationError) {
            return try NSExpression(forKeyPath: keyPath).queryExpression(on: entity, in: model).dependencies(in: model)
        } catch {
            return QueryDependencies()
        }
    }

    // MARK: Changes

    /// Results other than objects stay as they were fetched.
    func reach(of change: ContextChange) -> Reach {
        guard request.resultType == .managedObjectResultType else { return .nothing }
        switch change {
        case .everything: return .everything
        case .rows(let unread, let deleted):
            let isTouched = entities(of: unread).contains { isWanted($0) || isReached($0) }
            return isTouched || entities(of: deleted).contains(where: mayMove) ? .everything : .nothing
        case .objects(let changed):
            let entities = Set(changed.map(\.record.entity.index))
            if entities.contains(where: isReached) { return .everything }
            guard entities.contains(where: isWanted) else { return .nothing }
            return isLimited ? .everything : .themselves
        }
    }

    private func entities(of rows: RowSet) -> Set<Int> {
        Set(rows.keysBySpace.keys.compactMap { context.core.model.entity(named: $0.entityName)?.index })
    }

    /// Whether deleted rows may affect the results. Deleted results are reported as objects; rows that the offset skips may not
    /// have been read.
    private func mayMove(_ entityIndex: Int) -> Bool {
        isReached(entityIndex) || plan.query.offset > 0 && isWanted(entityIndex)
    }

    /// Whether the request follows relationships to such objects.
    private func isReached(_ entityIndex: Int) -> Bool {
        dependencies.readsBeyondRoot(entityIndex, in: context.core.model)
    }

    private func isWanted(_ entityIndex: Int) -> Bool {
        plan.query.includesSubentities
            ? context.core.model.isKind(entityIndex, of: plan.query.entityIndex) : entityIndex == plan.query.entityIndex
    }

    /// The changed objects that match, in order, each with the number of results before it.
    /// - Parameter results: the unchanged results, in order.
    /// - Throws: Errors of reading the store.
    /// - Complexity: One statement if rows must be read again; k log n comparisons.
    func places(
        of changed: Set<NSManagedObject>, among results: [NSObject]
    ) throws -> [(object: NSObject, place: Int)] {
        let evaluator = QueryEvaluator(GraphObjects(graph: context.graph, model: context.core.model))
        let results = results.compactMap { $0 as? NSManagedObject }
        return try sorted(try matching(changed, evaluator), evaluator).map { object in
            (object, try place(of: object.record, among: results, evaluator))
        }
    }

    private func matching(
        _ changed: Set<NSManagedObject>, _ evaluator: QueryEvaluator<GraphObjects>
    ) throws -> [NSManagedObject] {
        let isThere: (NSManagedObject) -> Bool = {
            $0.record.graph === context.graph && !$0.record.isDeleted && !$0.record.isGone
        }
        let candidates = changed.filter { isWanted($0.record.entity.index) && isThere($0) }
        try context.graph.fire(candidates.map(\.record))
        return try candidates.filter { object in
            try isThere(object) && (plan.query.predicate.map { try evaluator.test($0, root: object.record) } ?? true)
        }
    }

    private func sorted(
        _ objects: [NSManagedObject], _ evaluator: QueryEvaluator<GraphObjects>
    ) throws -> [NSManagedObject] {
        let byRecord = Dictionary(
            objects.map { (ObjectIdentifier($0.record), $0) }, uniquingKeysWith: { first, _ in first })
        let inRowOrder = Graph.inRowOrder(objects.map(\.record))
        return try evaluator.sorted(inRowOrder, by: plan.query.sort).compactMap { byRecord[ObjectIdentifier($0)] }
    }

    private func place(
        of record: Record, among results: [NSManagedObject], _ evaluator: QueryEvaluator<GraphObjects>
    ) throws -> Int {
        let values = try evaluator.sortValues(of: record, by: plan.query.sort)
        var (low, high) = (0, results.count)
        while low < high {
            let middle = (low + high) / 2
            let other = results[middle].record
            let order = plan.query.sort.order(try evaluator.sortValues(of: other, by: plan.query.sort), values)
            if order < 0 || order == 0 && Graph.isRow(other, before: record) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
