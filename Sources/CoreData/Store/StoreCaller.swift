import Foundation
import ObjectGraph

/// Who asks a store, and what for: stores of a program's own class are given the context and the request, of which the
/// engine's calls know nothing. Seen by what is called on the same thread.
struct StoreCaller: @unchecked Sendable {
    // Contexts are Sendable; the request never leaves the thread that asks.
    let context: NSManagedObjectContext
    let request: AskedRequest?

    /// A fetch request that is being carried out, and how the engine has it.
    struct AskedRequest {
        let request: NSFetchRequest<any NSFetchRequestResult>
        let query: Query
    }

    @TaskLocal static var current: StoreCaller?

    /// Runs what asks the stores for a context. A request that is under way stays so.
    static func with<Result>(_ context: NSManagedObjectContext, _ body: () throws -> Result) rethrows -> Result {
        if current?.context === context { return try body() }
        return try $current.withValue(StoreCaller(context: context, request: nil), operation: body)
    }

    static func with<Result>(
        _ request: AskedRequest, of context: NSManagedObjectContext, _ body: () throws -> Result
    ) rethrows -> Result {
        try $current.withValue(StoreCaller(context: context, request: request), operation: body)
    }
}
