import ObjectGraph

/// Reports the rows of deletions to the delegate.
package final class DeletionAnnouncer: DeleteObserver {
    private weak let host: (any DeletionHost)?

    package init(_ host: any DeletionHost) { self.host = host }

    package func willCommit(_ page: RowSet) throws {
        guard let delegate = host?.deletionDelegate else { return }
        do {
            try delegate.willDelete(Array(page.rowIdentifiers))
        } catch {
            throw DelegateRefusal(reason: error)
        }
    }
}

/// Reports the rows of each chunk to the delegate before the commit, and announces the chunk after it.
final class ChunkAnnouncer: DeleteObserver {
    private let host: any DeletionHost
    private let announcer: DeletionAnnouncer
    let audience: Locked<DeletionAudience>

    init(_ host: any DeletionHost, _ audience: DeletionAudience) {
        self.host = host
        announcer = DeletionAnnouncer(host)
        self.audience = Locked(audience)
    }

    func willCommit(_ page: RowSet) throws { try announcer.willCommit(page) }

    func didCommit(_ result: SavedRows) { host.announce(result.plan, to: audience.withLock { $0 }) }
}
