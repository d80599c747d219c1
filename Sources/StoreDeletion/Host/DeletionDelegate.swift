import ObjectGraph

/// An object that is called with the rows of deletions before they are committed, for example to update a search index or to
/// remove files of the program.
///
/// Set it as the `deletionDelegate` of a SwiftData `ModelContainer`, or of a Core Data `NSPersistentStoreCoordinator` or
/// `NSPersistentContainer`. It is not retained.
public protocol DeletionDelegate: AnyObject, Sendable {
    /// Handles rows that are about to be deleted, cascaded rows included.
    ///
    /// Called inside the deletion's transaction, with at most 10,000 rows at a time, on the thread that deletes. The same rows may
    /// be passed again when the transaction fails after all.
    ///
    /// The write lock is held during the call. A store in a file can be read and still has the rows. Writing to it, or reading a
    /// store in memory, throws an error on this thread, and on any other thread waits for the end of the deletion: do not wait
    /// for such a thread.
    /// - Parameter rows: at most 10,000 of the rows to be deleted.
    /// - Throws: Any error, to roll back the whole deletion; the deleting call throws the same error. A deletion in chunks stops
    ///   there, and rows of earlier chunks stay deleted.
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

/// An error thrown by a delegate, wrapped so that no code between the delegate and the caller takes it for an error of the
/// store.
package struct DelegateRefusal: Error {
    package let reason: any Error
}
