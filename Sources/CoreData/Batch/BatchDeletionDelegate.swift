import Foundation
import ObjectGraph

/// Told of the objects that batch deletes take, before they are gone for good: to clean a search index, or files of one's
/// own.
public protocol BatchDeletionDelegate: AnyObject, Sendable {
    /// These objects are deleted, those that rules take along included, in the transaction that is about to be committed.
    /// Called in pages of at most 10,000, on the thread that deletes; the same objects may be announced again when the
    /// transaction fails after all.
    ///
    /// The write lock is held meanwhile: a file can be read, as it was before. Writing to it, or reading a store in memory,
    /// throws here, and waits for the end of the delete on any other thread: do not wait for one that does.
    /// - Throws: Anything, to take the whole delete back; executing the request throws the same. A long delete stops there.
    func willDelete(_ objectIDs: [NSManagedObjectID]) throws
}

extension NSPersistentStoreCoordinator {
    /// Told of what batch deletes of any context take: when requests and plans are executed, and with each chunk of a long
    /// delete. Not owned.
    public var batchDeletionDelegate: (any BatchDeletionDelegate)? {
        get { core.batchDeletionDelegate.withLock { $0.delegate } }
        set { core.batchDeletionDelegate.withLock { $0.delegate = newValue } }
    }
}

/// Where the delegate is kept.
struct BatchDeletionDelegateReference: Sendable {
    weak var delegate: (any BatchDeletionDelegate)?
}

/// What a delegate threw: the program's own error, which no code of ours is to hide.
struct RefusalOfDelegate: Error {
    let reason: any Error
}

extension CoordinatorCore {
    /// Who is to be told of batch deletes; `nil` where nobody is, so that they need not tell which rows they take.
    var announcer: CoordinatorCore? { batchDeletionDelegate.withLock { $0.delegate } == nil ? nil : self }
}

/// Passes on what is about to be deleted.
extension CoordinatorCore: DeleteObserver {
    func willCommit(_ page: RowSet) throws {
        guard let delegate = batchDeletionDelegate.withLock({ $0.delegate }) else { return }
        do {
            try delegate.willDelete(identifiers(of: page))
        } catch {
            throw RefusalOfDelegate(reason: error)
        }
    }
}
