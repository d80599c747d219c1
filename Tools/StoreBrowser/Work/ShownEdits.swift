import Foundation
import ObjectGraph
import StoreInspection

/// A submitted edit with the plan that a page showed of it. Confirming it saves exactly this plan; the texts are not
/// evaluated again.
struct ShownEdit: Sendable {
    let id: UUID
    let sent: SentEdit
    /// The plan as last shown; `nil` if the edit cannot be saved, or has been saved.
    var plan: EditPlan?
    /// `title of Bean soup`.
    var subject = ""
}

/// The most recently submitted edits.
struct ShownEdits: Sendable {
    private let edits = Locked<[ShownEdit]>([])
    private static let most = 16

    /// - Returns: the edit's identifier.
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

    /// - Returns: the edit with its plan, which cannot be confirmed again unless it is shown again.
    func takePlan(_ id: UUID) -> ShownEdit? {
        edits.withLock { edits in
            guard let place = edits.firstIndex(where: { $0.id == id }), edits[place].plan != nil else { return nil }
            defer { edits[place].plan = nil }
            return edits[place]
        }
    }
}
