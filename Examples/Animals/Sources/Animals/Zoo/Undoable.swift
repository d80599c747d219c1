import Foundation
import SwiftData

/// A delete that can be taken back, as the person who deleted knows it.
struct Undoable {
    enum Subject {
        case animal(String, category: PersistentIdentifier?)
        case category(String)
        /// The categories that were put in place of what was deleted.
        case everything(replacedBy: [AnimalCategory])
    }

    enum State {
        /// Not saved; the context takes it back, as this step of its undo manager.
        case pending(step: Int)
        case saved
    }

    /// Made up at random, so that it says nothing and cannot be guessed.
    let id = UUID().uuidString
    let subject: Subject
    /// Where what was deleted will be seen again.
    let address: String
    /// `nil` for what was never saved.
    let token: DeletionToken?
    var state: State
}

/// Deletes that can still be taken back, the newest last.
struct UndoList {
    /// More than anybody scrolls back to.
    private static let longest = 100
    private var items: [Undoable] = []

    var pending: [Undoable] { items.filter { if case .pending = $0.state { true } else { false } } }

    mutating func add(_ item: Undoable) {
        items.append(item)
        items.removeFirst(max(0, items.count - Self.longest))
    }

    subscript(id: String) -> Undoable? { items.first { $0.id == id } }

    /// Whatever else the same save deleted comes back with it.
    mutating func remove(with item: Undoable) -> [Undoable] {
        let gone = items.filter { $0.id == item.id || (item.token != nil && $0.token == item.token) }
        items.removeAll { other in gone.contains { $0.id == other.id } }
        return gone
    }

    mutating func remove(_ item: Undoable) { items.removeAll { $0.id == item.id } }

    /// What was pending is saved now: what the store kept can be taken back, what it never had cannot.
    mutating func didSave() {
        items = items.compactMap { item in
            guard case .pending = item.state else { return item }
            guard item.token != nil else { return nil }
            var item = item
            item.state = .saved
            return item
        }
    }

    mutating func didDiscard() {
        let discarded = Set(pending.map(\.id))
        items.removeAll { discarded.contains($0.id) }
    }
}
