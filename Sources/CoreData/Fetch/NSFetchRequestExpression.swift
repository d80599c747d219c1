import Foundation
import ObjectGraph

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
        let block = FormatExpressionBlock { _, arguments, _ in
            guard arguments.count == 2, let request = arguments[0] as? any ExpressedFetch,
                let context = arguments[1] as? NSManagedObjectContext
            else { return nil }
            return countOnly ? request.count(in: context) : request.results(in: context)
        }
        super.init(tree: .block(block, [request.tree, context.tree]))
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

/// A request of any result type.
private protocol ExpressedFetch {
    /// `nil` when the fetch fails, which the log says.
    func results(in context: NSManagedObjectContext) -> Any?
    func count(in context: NSManagedObjectContext) -> Any?
}

extension NSFetchRequest: ExpressedFetch {
    fileprivate func results(in context: NSManagedObjectContext) -> Any? {
        report { try context.results(of: self) }
    }

    fileprivate func count(in context: NSManagedObjectContext) -> Any? {
        report { try context.count(for: self) }
    }

    private func report(_ fetch: () throws -> Any) -> Any? {
        do {
            return try fetch()
        } catch {
            CoreDataLog.logger.error("A fetch in an expression failed: \(error)")
            return nil
        }
    }
}
