/// Is notified of deleted rows, to clean up data outside the store, such as a search index or files, and to merge the
/// deletion into contexts. A long deletion notifies for each chunk. Called on the thread that executes the deletion.
package protocol DeleteObserver: AnyObject, Sendable {
    /// The rows are deleted but not yet committed; other connections still see them. Called in pages. The same rows may
    /// be announced again, if the transaction fails afterwards, and after a crash.
    ///
    /// The write lock is held meanwhile. A file can be read through its store, in its former state. Writing to it, or
    /// reading a store in memory, throws on this thread; on another thread, it waits until the deletion ends. So
    /// waiting here for such a thread is a deadlock.
    /// - Throws: Any error, to roll back the whole transaction. A long deletion stops with it.
    func willCommit(_ page: RowSet) throws

    /// The transaction is committed; its plan contains all deleted and changed rows.
    func didCommit(_ result: SavedRows)
}

extension DeleteObserver {
    package func willCommit(_ page: RowSet) throws {}
    package func didCommit(_ result: SavedRows) {}

    /// Announces all rows in pages.
    package func willCommit(pagesOf rows: RowSet) throws {
        for page in rows.pages(of: 10_000) { try willCommit(page) }
    }
}

extension RowSet {
    /// Divides the rows into sets of at most this size.
    package func pages(of size: Int) -> some Sequence<RowSet> {
        let spaces = keysBySpace.sorted { $0.key.number < $1.key.number }
        return spaces.lazy.flatMap { space, keys in
            keys.parts(of: size).map { part in
                var page = RowSet()
                page.insert(part, in: space)
                return page
            }
        }
    }
}
