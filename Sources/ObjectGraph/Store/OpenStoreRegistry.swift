import Foundation

/// The store files that containers and coordinators of this process have open. Each is notified of the others' saves to its
/// files, whichever framework it belongs to.
///
/// Observers are looked up by file, so that only those of one file are retained meanwhile: a container that its program
/// releases closes its files at once.
package enum OpenStoreRegistry {
    fileprivate struct Entry {
        let file: ObjectIdentifier
        weak var observer: (any OpenStoreObserver)?
    }

    /// By name of the file.
    private static let entries = Locked<[String: [Entry]]>([:])

    /// Returns a name that is the same for all paths of a file.
    package static func name(of url: URL) -> String { url.standardizedFileURL.followingLinks.path }

    /// - Parameter observer: Is not retained. It is notified until the file is released.
    package static func add(_ file: OpenFile, of observer: any OpenStoreObserver) {
        let entry = Entry(file: ObjectIdentifier(file), observer: observer)
        entries.withLock { $0[file.name, default: []].append(entry) }
    }

    fileprivate static func remove(_ file: ObjectIdentifier, named name: String) {
        entries.withLock { entries in
            entries[name]?.removeAll { $0.file == file }
            if entries[name]?.isEmpty == true { entries[name] = nil }
        }
    }

    private static func observers(of name: String, besides one: AnyObject) -> [any OpenStoreObserver] {
        entries.withLock { ($0[name] ?? []).compactMap(\.observer) }.filter { $0 !== one }
    }

    /// Whether a container or coordinator other than this one has a file open.
    package static func isOpen(_ url: URL, besides one: AnyObject) -> Bool {
        !observers(of: name(of: url), besides: one).isEmpty
    }

    /// Notifies the others that have any of the files open, on this thread.
    /// - Parameters:
    ///   - writer: The observer that saved; it is not notified.
    ///   - files: The names of the files.
    package static func notifyNeighbours(of writer: AnyObject, files: Set<String>) {
        var concerned: [(observer: any OpenStoreObserver, files: Set<String>)] = []
        for file in files {
            for observer in observers(of: file, besides: writer) {
                if let place = concerned.firstIndex(where: { $0.observer === observer }) {
                    concerned[place].files.insert(file)
                } else {
                    concerned.append((observer, [file]))
                }
            }
        }
        for (observer, files) in concerned { observer.noticeSaves(in: files) }
    }
}

/// A store file that is open in a container or coordinator, until this is released.
package final class OpenFile: Sendable {
    /// The name in `OpenStoreRegistry`.
    package let name: String

    package init(_ name: String) { self.name = name }

    deinit { OpenStoreRegistry.remove(ObjectIdentifier(self), named: name) }
}

/// A container or coordinator that may have store files open.
package protocol OpenStoreObserver: AnyObject, Sendable {
    /// Called after another one in this process saved to these open files. The changes themselves are read from the stores.
    func noticeSaves(in files: Set<String>)
}
