import Foundation
import ObjectGraph
import StoreInspection

/// An edit that was sent, and what a page showed of it: what is confirmed is this, and not what the same texts would mean
/// later.
struct ShownEdit: Sendable {
    let id: UUID
    let sent: SentEdit
    /// As last shown; `nil` where it cannot be saved, or was.
    var plan: EditPlan?
    /// `title of Bean soup`.
    var subject = ""
}

/// The last edits that were sent.
struct ShownEdits: Sendable {
    private let edits = Locked<[ShownEdit]>([])
    private static let most = 16

    /// - Returns: its identifier.
    func remember(_ sent: SentEdit) -> UUID {
        let edit = ShownEdit(id: UUID(), sent: sent)
        edits.withLock { edits in
            edits.append(edit)
            if edits.count > Self.most { edits.removeFirst(edits.count - Self.most) }
        }
        return edit.id
    }

    subscript(id: UUID) -> ShownEdit? { edits.withLock { $0.first { $0.id == id } } }

    func show(_ plan: EditPlan?, _ subject: String, of id: UUID) {
        edits.withLock { edits in
            guard let place = edits.firstIndex(where: { $0.id == id }) else { return }
            (edits[place].plan, edits[place].subject) = (plan, subject)
        }
    }

    /// - Returns: the edit with its plan, which cannot be confirmed a second time unless it is shown again.
    func takePlan(_ id: UUID) -> ShownEdit? {
        edits.withLock { edits in
            guard let place = edits.firstIndex(where: { $0.id == id }), edits[place].plan != nil else { return nil }
            defer { edits[place].plan = nil }
            return edits[place]
        }
    }
}
