import Foundation
import SwiftData

/// A delete that can be undone, as the user sees it.
struct Undoable {
    enum Subject {
        case animal(String, category: PersistentIdentifier?)
        /// With the number of animals deleted by cascade.
        case category(String, animals: Int)
        /// The categories inserted in place of the deleted ones.
        case everything(replacedBy: [AnimalCategory])
    }

    enum State {
        /// Not saved: undone by the context, as this step of its undo manager.
        case pending(step: Int)
        case saved
    }

    /// Random, so that it cannot be guessed.
    let id = UUID().uuidString
    let subject: Subject
    /// The address of the page that shows the model after it is restored.
    let address: String
    /// `nil` for a model that was never saved.
    let token: DeletionToken?
    var state: State
}

/// Deletes that can be undone, newest last.
struct UndoList {
    /// The maximum number of deletes to keep; a window never shows as many.
    private static let longest = 100
    private var items: [Undoable] = []

    var pending: [Undoable] { items.filter { if case .pending = $0.state { true } else { false } } }

    mutating func add(_ item: Undoable) {
        items.append(item)
        items.removeFirst(max(0, items.count - Self.longest))
    }

    subscript(id: String) -> Undoable? { items.first { $0.id == id } }

    /// Removes a delete and all others of the same save, which are restored together.
    mutating func remove(with item: Undoable) -> [Undoable] {
        let gone = items.filter { $0.id == item.id || (item.token != nil && $0.token == item.token) }
        items.removeAll { other in gone.contains { $0.id == other.id } }
        return gone
    }

    mutating func remove(_ item: Undoable) { items.removeAll { $0.id == item.id } }

    /// Updates pending deletes after a save: archived ones can be restored with their token, those of unsaved models
    /// cannot be undone.
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
