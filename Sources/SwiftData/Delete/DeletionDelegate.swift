import ObjectGraph

/// Told of the models that bulk deletes take, before they are gone for good: to clean a search index, or files of one's
/// own.
public protocol DeletionDelegate: AnyObject, Sendable {
    /// These models are deleted, in the transaction that is about to be committed. Called in pages of at most 10,000, on the
    /// thread that deletes; the same models may be announced again when the transaction fails after all.
    ///
    /// The write lock is held meanwhile: a file can be read, as it was before. Writing to it, or reading a store in memory,
    /// throws here, and waits for the end of the delete on any other thread: do not wait for one that does.
    /// - Throws: Anything, to take the whole delete back; a long delete stops there.
    func willDelete(_ identifiers: [PersistentIdentifier]) throws
}

extension ModelContainer {
    /// Told of what bulk deletes take: deletes by predicate when they are saved, plans when they are carried out, and each
    /// chunk of a long delete. Models deleted one by one are not announced: whoever deletes them knows them.
    public var deletionDelegate: (any DeletionDelegate)? {
        get { core.deletionDelegate.withLock { $0.delegate } }
        set { core.deletionDelegate.withLock { $0.delegate = newValue } }
    }
}

/// Where the delegate is kept; it is not owned.
struct DeletionDelegateReference: Sendable {
    weak var delegate: (any DeletionDelegate)?
}

/// Passes on what is about to be deleted.
final class DeletionAnnouncer: DeleteObserver {
    private weak let core: ContainerCore?

    init(_ core: ContainerCore) { self.core = core }

    func willCommit(_ page: RowSet) throws {
        try core?.deletionDelegate.withLock { $0.delegate }?.willDelete(page.ids.map(PersistentIdentifier.init))
    }
}

/// Tells live contexts of each chunk as well.
final class ChunkAnnouncer: DeleteObserver {
    private weak let core: ContainerCore?
    private let announcer: DeletionAnnouncer

    init(_ core: ContainerCore) {
        self.core = core
        announcer = DeletionAnnouncer(core)
    }

    func willCommit(_ page: RowSet) throws { try announcer.willCommit(page) }
    func didCommit(_ result: DeleteResult) { core?.tell(result) }
}
