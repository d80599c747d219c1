import ObjectGraph

/// Is called with the rows that deletions take, before they are committed: to update a search index, or to remove files of
/// the program's own.
public protocol DeletionDelegate: AnyObject, Sendable {
    /// The rows, cascaded ones included, are deleted in the transaction that is about to be committed. Called with at most 10,000 at a time, on the thread that deletes. The same rows may be passed again when the
    /// transaction fails after all.
    ///
    /// The write lock is held meanwhile. A file can be read, as it was before. Writing to it, or reading a store in memory,
    /// throws here, and waits for the end of the deletion on any other thread: do not wait for such a thread.
    /// - Throws: Anything, to roll back the whole deletion; the deleting call throws the same error. A deletion in chunks stops
    ///   there, and what earlier chunks deleted stays deleted.
    func willDelete(_ rows: [RowIdentifier]) throws
}

/// A weak reference to a delegate.
package final class DeletionDelegateReference: Sendable {
    private struct Reference: Sendable {
        weak var delegate: (any DeletionDelegate)?
    }

    private let reference = Locked(Reference())

    package init() {}

    package var delegate: (any DeletionDelegate)? {
        get { reference.withLock { $0.delegate } }
        set { reference.withLock { $0.delegate = newValue } }
    }
}

/// What a delegate threw. Wrapped, so that no code between the delegate and the caller takes it for an error of the store.
package struct DelegateRefusal: Error {
    package let reason: any Error
}
