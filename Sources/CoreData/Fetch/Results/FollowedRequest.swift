import Foundation
import ObjectGraph
import PredicateFormat

/// A request whose results the engine maintains.
struct FollowedRequest {
    let results: LiveResults
    /// Whether these are the results of the request. Otherwise the request leaves out stores: it is fetched again after each
    /// change of what all stores have.
    let isExact: Bool

    /// Fetches the objects of a request, and follows it from now on.
    /// - Returns: No followed request for a context without a store.
    /// - Throws: Errors of fetching.
    /// - Complexity: One fetch; two if the request leaves out stores, of which one has no offset. Of objects that come as faults, another one reads the values that they are sorted by.
    static func fetch(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ plan: RequestPlan, _ sectionNameKeyPath: String?,
        for follower: any ContextFollower, in context: NSManagedObjectContext
    ) throws -> ([NSManagedObject], FollowedRequest?) {
        let isExact = !plan.excludesStores(context.core)
        let query = query(plan, sectionNameKeyPath, isExact, context.core.model)
        let held = request.converted(to: (any NSFetchRequestResult).self)
        (held.fetchOffset, held.fetchLimit) = (0, query.heldLimit ?? 0)
        held.affectedStores = isExact ? request.affectedStores : nil
        let objects = try context.results(of: held).compactMap { $0 as? NSManagedObject }
        let results = try context.followers.follow(
            query, holding: objects.map(\.record), for: follower, in: context.graph)
        let followed = results.map { FollowedRequest(results: $0, isExact: isExact) }
        guard isExact else { return (try context.results(of: request).compactMap { $0 as? NSManagedObject }, followed) }
        return (Array(objects[query.window.clamped(to: 0..<objects.count)]), followed)
    }

    private static func query(
        _ plan: RequestPlan, _ sectionNameKeyPath: String?, _ isExact: Bool, _ model: Model
    ) -> LiveQuery {
        var query = plan.query
        if !isExact { (query.limit, query.offset) = (nil, 0) }
        let names = sectionNameKeyPath.flatMap { expression(of: $0, plan.table.entity, model) }
        return LiveQuery(query, alsoReading: names.map { [$0] } ?? [])
    }

    /// - Returns: `nil` for a key path that only the program's classes can resolve: then the names of objects that change
    ///   themselves are read again.
    private static func expression(of keyPath: String, _ entity: Entity, _ model: Model) -> QueryExpression? {
        do throws(FormatTranslationError) {
            return try NSExpression(forKeyPath: keyPath).queryExpression(on: entity, in: model)
        } catch {
            return nil
        }
    }

    // MARK: Results

    func object(at position: Int, in context: NSManagedObjectContext) -> NSManagedObject? {
        guard position < results.count else { return nil }
        return context.graph.record(for: results[position]).flatMap(context.object)
    }

    func position(of object: NSManagedObject) -> Int? { results.position(of: object.record.id) }

    /// The positions of results that a change concerns.
    func positions(of change: GraphChanges) -> Set<Int> {
        Set(change.objects.compactMap { results.position(of: $0.record.id) })
            .union(change.rows.keys.compactMap { results.position(of: $0) })
    }
}
