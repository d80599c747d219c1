/// Told of what a delete takes: to clean what is kept elsewhere, such as a search index or files, and to merge the delete
/// into live contexts. A delete in chunks tells of each chunk. Called on the thread that carries it out.
package protocol DeleteObserver: AnyObject, Sendable {
    /// These rows are deleted, but not yet committed; others still see them. Called in pages. The same rows may be
    /// announced again: when the transaction fails after all, and after a crash.
    ///
    /// The write lock is held meanwhile: a file can be read through its store, as it was before. Writing to it, or reading
    /// a store in memory, throws on this thread, and waits for the end of the delete on any other: who waits for that other
    /// one here waits for ever.
    /// - Throws: anything, to take the whole transaction back. A delete in chunks stops there.
    func willCommit(_ page: RowSet) throws

    /// The transaction is committed; its plan tells what went and what changed.
    func didCommit(_ result: DeleteResult)
}

extension DeleteObserver {
    package func willCommit(_ page: RowSet) throws {}
    package func didCommit(_ result: DeleteResult) {}

    /// Tells of all of the rows, so many at a time.
    package func willCommit(pagesOf rows: RowSet) throws {
        for page in rows.pages(of: 10_000) { try willCommit(page) }
    }
}

extension RowSet {
    /// The same rows in sets of at most so many.
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
