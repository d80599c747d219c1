import Foundation
import ObjectGraph

/// Told of every chunk of a long delete: to clean what is kept elsewhere, and to merge the delete into live contexts.
/// Called on the thread that carries out the chunk.
package protocol DeleteJobObserver: AnyObject, Sendable {
    /// These rows are deleted, but not yet committed; others still see them. Called in pages. The same rows may be
    /// announced again: when the chunk fails after all, and after a crash.
    ///
    /// The write lock is held meanwhile: reading the store is fine, writing to it would wait for ever.
    /// - Throws: anything, to take the whole chunk back and stop the job.
    func willCommit(_ page: RowSet, of job: UUID) throws

    /// A chunk is committed; its plan tells what went and what changed.
    func didCommit(_ result: DeleteResult, of job: UUID)
}

extension DeleteJobObserver {
    package func willCommit(_ page: RowSet, of job: UUID) throws {}
    package func didCommit(_ result: DeleteResult, of job: UUID) {}
}

extension RowSet {
    /// The same rows in sets of at most so many.
    func pages(of size: Int) -> some Sequence<RowSet> {
        let spaces = keysBySpace.sorted { $0.key.number < $1.key.number }
        return spaces.lazy.flatMap { space, keys in
            stride(from: 0, to: keys.count, by: max(1, size)).lazy.map { start in
                var page = RowSet()
                page.insert(KeySet(Array(keys.keys[start..<min(start + max(1, size), keys.count)])), in: space)
                return page
            }
        }
    }
}
