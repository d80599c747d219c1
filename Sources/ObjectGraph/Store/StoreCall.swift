import Foundation

/// The context that calls a store, and the request that it executes. Program-defined stores receive both, although the
/// engine's calls do not carry them. Visible to code called on the same thread.
package struct StoreCall: @unchecked Sendable {
    // Neither leaves the calling thread.
    package let context: AnyObject
    package let request: Request?

    /// The executed request, and its form in the engine.
    package struct Request {
        package let request: Any
        package let query: Query

        package init(_ request: Any, _ query: Query) {
            self.request = request
            self.query = query
        }
    }

    @TaskLocal package static var current: StoreCall?

    /// Runs a block that calls the stores for a context. The current request is kept.
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
