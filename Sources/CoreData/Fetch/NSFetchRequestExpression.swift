import Foundation
import ObjectGraph
import PredicateFormat

/// An expression whose value is the result of a fetch.
///
/// It is evaluated over objects in memory. A fetch whose own predicate contains one is refused, because the store cannot evaluate
/// it; its `expressionType` is that of a block.
public final class NSFetchRequestExpression: NSExpression {
    /// The expression that gives the request.
    public let requestExpression: NSExpression
    /// The expression that gives the context to fetch from.
    public let contextExpression: NSExpression
    /// A Boolean value that states whether the value is the number of results.
    public let isCountOnlyRequest: Bool

    private init(_ request: NSExpression, _ context: NSExpression, countOnly: Bool) {
        requestExpression = request
        contextExpression = context
        isCountOnlyRequest = countOnly
        super.init(tree: .fetch(request.tree, context: context.tree, countOnly: countOnly))
    }

    /// Returns `nil`: requests and contexts cannot be archived.
    public required init?(coder: NSCoder) {
        nil
    }

    /// Creates an expression whose value is the result of a fetch.
    /// - Parameters:
    ///   - fetch: gives an `NSFetchRequest`.
    ///   - context: gives an `NSManagedObjectContext`, which is used where the expression is evaluated.
    ///   - countFlag: whether the value is the number of results.
    /// - Returns: The expression.
    public class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(fetch, context, countOnly: countFlag)
    }
}

extension NSFetchRequest: FormatFetchable {
    /// `nil` if the fetch fails, which is logged.
    package func fetched(from context: Any, countOnly: Bool) -> Any? {
        guard let context = context as? NSManagedObjectContext else { return nil }
        do {
            return countOnly ? try context.count(for: self) : try context.results(of: self)
        } catch {
            CoreDataLog.logger.error("A fetch in an expression failed: \(error)")
            return nil
        }
    }
}
