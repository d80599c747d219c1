import Foundation

/// The context for which a store is asked, and the request that it carries out: stores of a program's own class are given
/// both, which the engine's calls do not have. Seen by what is called on the same thread.
package struct StoreCall: @unchecked Sendable {
    // Neither leaves the thread that asks.
    package let context: AnyObject
    package let request: Request?

    /// A request that is being carried out, and how the engine has it.
    package struct Request {
        package let request: Any
        package let query: Query

        package init(_ request: Any, _ query: Query) {
            self.request = request
            self.query = query
        }
    }

    @TaskLocal package static var current: StoreCall?

    /// Runs what asks the stores for a context. A request that is under way stays so.
    package static func with<Result>(_ context: AnyObject, _ body: () throws -> Result) rethrows -> Result {
        if current?.context === context { return try body() }
        return try $current.withValue(StoreCall(context: context, request: nil), operation: body)
    }

    package static func with<Result>(
        _ request: Request, of context: AnyObject, _ body: () throws -> Result
    ) rethrows -> Result {
        try $current.withValue(StoreCall(context: context, request: request), operation: body)
    }
}
