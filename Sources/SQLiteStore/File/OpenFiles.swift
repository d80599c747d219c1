import Foundation
import ObjectGraph

/// The containers and coordinators of this process that have store files open, so that each is notified of what the others
/// save, whichever face they are of.
package enum OpenFiles {
    private struct Entry {
        weak var neighbour: (any FileNeighbour)?
    }

    private static let entries = Locked<[Entry]>([])

    /// A file by whatever path.
    package static func name(of url: URL) -> String { url.standardizedFileURL.followingLinks.path }

    /// - Parameter neighbour: is not kept alive; it may be added again.
    package static func add(_ neighbour: any FileNeighbour) {
        // Whatever is released here last is released after the lock, as it may close files.
        let others = entries.withLock { list in
            let others = list.compactMap(\.neighbour).filter { $0 !== neighbour }
            list = (others + [neighbour]).map { Entry(neighbour: $0) }
            return others
        }
        withExtendedLifetime(others) {}
    }

    private static func neighbours(of one: AnyObject) -> [any FileNeighbour] {
        entries.withLock { $0.compactMap(\.neighbour) }.filter { $0 !== one }
    }

    /// Whether a container or coordinator other than this one has a file open.
    package static func isOpen(_ url: URL, besides one: AnyObject) -> Bool {
        let name = name(of: url)
        return neighbours(of: one).contains { $0.openFiles.contains(name) }
    }

    /// Notifies those that have any of the files open, on this thread.
    /// - Parameters:
    ///   - writer: saved, and is not notified.
    ///   - files: by name; asked for where there are others at all.
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
package protocol FileNeighbour: AnyObject, Sendable {
    /// By name, as they are now.
    var openFiles: Set<String> { get }
    /// Another one of this process saved to these of the open files. What it saved is found by asking the stores.
    func noticeSaves(in files: Set<String>)
}
