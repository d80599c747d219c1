/// A weak reference to a context.
struct WeakContext: @unchecked Sendable {
    // Weak references may be read from any thread; contexts are Sendable.
    weak var context: NSManagedObjectContext?
}
