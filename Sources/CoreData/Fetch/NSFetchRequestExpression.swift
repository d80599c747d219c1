import Foundation
import ObjectGraph
import PredicateFormat

/// What a fetch request finds, as a value in a predicate or expression.
///
/// It is evaluated over objects in memory. A fetch whose own predicate has one in it is refused, as the store cannot
/// evaluate it; its `expressionType` is that of code, which it is here.
public final class NSFetchRequestExpression: NSExpression {
    /// Gives the request.
    public let requestExpression: NSExpression
    /// Gives the context to fetch from.
    public let contextExpression: NSExpression
    /// Whether the value is the number of results.
    public let isCountOnlyRequest: Bool

    private init(_ request: NSExpression, _ context: NSExpression, countOnly: Bool) {
        requestExpression = request
        contextExpression = context
        isCountOnlyRequest = countOnly
        super.init(tree: .fetch(request.tree, context: context.tree, countOnly: countOnly))
    }

    /// Requests and contexts cannot be archived.
    public required init?(coder: NSCoder) {
        nil
    }

    /// - Parameters:
    ///   - fetch: gives an `NSFetchRequest`.
    ///   - context: gives an `NSManagedObjectContext`. It is used where the expression is evaluated.
    public class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(fetch, context, countOnly: countFlag)
    }
}

extension NSFetchRequest: FormatFetchable {
    /// `nil` when the fetch fails, which the log says.
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
