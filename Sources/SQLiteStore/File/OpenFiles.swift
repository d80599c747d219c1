import Foundation
import ObjectGraph

/// Those of this process who have store files open, so that one is woken when another, of whatever face, has saved.
package enum OpenFiles {
    private struct Entry {
        weak var neighbour: (any FileNeighbour)?
        let files: Set<String>
    }

    private static let entries = Locked<[Entry]>([])

    /// A file by whatever path.
    package static func name(of url: URL) -> String { url.standardizedFileURL.followingLinks.path }

    /// - Parameter files: by name.
    package static func add(_ neighbour: any FileNeighbour, files: Set<String>) {
        guard !files.isEmpty else { return }
        entries.withLock { list in
            list.removeAll { $0.neighbour == nil }
            list.append(Entry(neighbour: neighbour, files: files))
        }
    }

    /// Whether somebody other than a coordinator or container has a file open.
    package static func isOpen(_ url: URL, besides one: AnyObject) -> Bool {
        let name = name(of: url)
        return entries.withLock { list in
            list.contains { entry in entry.neighbour.map { $0 !== one } ?? false && entry.files.contains(name) }
        }
    }

    /// Tells those who have one of the files open that somebody else saved there.
    /// - Parameters:
    ///   - writer: who saved, and knows already.
    ///   - files: by name; asked for when there is anybody to tell.
    package static func tellNeighbours(of writer: AnyObject, files: @autoclosure () -> Set<String>) {
        let others = entries.withLock { list in list.filter { $0.neighbour !== writer } }
        if others.isEmpty { return }
        let files = files()
        for entry in others where !entry.files.isDisjoint(with: files) { entry.neighbour?.noticeSaveByNeighbour() }
    }
}

/// Who has a store file open.
package protocol FileNeighbour: AnyObject, Sendable {
    /// Somebody else of this process saved. What was saved is found by asking the store.
    func noticeSaveByNeighbour()
}
