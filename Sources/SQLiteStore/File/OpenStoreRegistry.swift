import Foundation
import ObjectGraph

/// The containers and coordinators of this process that have store files open. Each is notified of the others' saves,
/// whichever framework it belongs to.
package enum OpenStoreRegistry {
    private struct Entry {
        weak var neighbour: (any OpenStoreObserver)?
    }

    private static let entries = Locked<[Entry]>([])

    /// Returns a name that is the same for all paths of a file.
    package static func name(of url: URL) -> String { url.standardizedFileURL.followingLinks.path }

    /// - Parameter neighbour: Is not retained; it may be added again.
    package static func add(_ neighbour: any OpenStoreObserver) {
        // Keeps the others alive until the lock is released, because their deinitialization may close files.
        let others = entries.withLock { list in
            let others = list.compactMap(\.neighbour).filter { $0 !== neighbour }
            list = (others + [neighbour]).map { Entry(neighbour: $0) }
            return others
        }
        withExtendedLifetime(others) {}
    }

    private static func neighbours(of one: AnyObject) -> [any OpenStoreObserver] {
        entries.withLock { $0.compactMap(\.neighbour) }.filter { $0 !== one }
    }

    /// Whether a container or coordinator other than this one has a file open.
    package static func isOpen(_ url: URL, besides one: AnyObject) -> Bool {
        let name = name(of: url)
        return neighbours(of: one).contains { $0.openFiles.contains(name) }
    }

    /// Notifies the neighbours that have any of the files open, on this thread.
    /// - Parameters:
    ///   - writer: The neighbour that saved; it is not notified.
    ///   - files: The names of the files; evaluated only if there are neighbours.
    package static func notifyNeighbours(of writer: AnyObject, files: @autoclosure () -> Set<String>) {
        let others = neighbours(of: writer)
        if others.isEmpty { return }
        let files = files()
        if files.isEmpty { return }
        for other in others {
            let shared = other.openFiles.intersection(files)
            if !shared.isEmpty { other.noticeSaves(in: shared) }
        }
    }
}

/// A container or coordinator that may have store files open.
package protocol OpenStoreObserver: AnyObject, Sendable {
    /// The names of the files that are currently open.
    var openFiles: Set<String> { get }
    /// Called after another one in this process saved to these open files. The changes themselves are read from the stores.
    func noticeSaves(in files: Set<String>)
}
