import Foundation
import ObjectGraph

/// The containers of this process by the files they have open, so that those who share one look when another has saved.
enum OpenStores {
    private struct Entry {
        weak var core: ContainerCore?
        let files: Set<String>
    }

    private static let entries = Locked<[Entry]>([])

    static func add(_ core: ContainerCore, files: Set<String>) {
        guard !files.isEmpty else { return }
        entries.withLock { list in
            list.removeAll { $0.core == nil }
            list.append(Entry(core: core, files: files))
        }
    }

    /// Wakes the contexts of other containers on the same files; they read from the history what was saved.
    static func wakeNeighbours(of core: ContainerCore) {
        let neighbours = entries.withLock { list -> [ContainerCore] in
            guard list.count > 1, let own = list.first(where: { $0.core === core }) else { return [] }
            return list.compactMap { entry in
                entry.core !== core && !entry.files.isDisjoint(with: own.files) ? entry.core : nil
            }
        }
        for neighbour in neighbours { neighbour.contexts.wake() }
    }
}
