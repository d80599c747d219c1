import Foundation
import Hummingbird

/// Taking deletes back.
extension Site {
    func addUndoRoutes(to router: Router<BasicRequestContext>) {
        router.post("/undo") { request, _ in try await self.undo(request) }
    }

    private func undo(_ request: Request) async throws -> Response {
        let id = try await FormFields(request)["id"]
        guard !work.isMovingModels else { throw ZooProblem.busy }
        // Windows may show samples that are about to go again.
        let items = try zoo.undo(id) { live.willDelete(.everything) }
        live.collectionChanged()
        return .seeOther(items.last?.address ?? "/", items.count > 1 ? .undoneTogether : .undone)
    }

    /// Says that something was deleted and can be undone.
    func seeOther(_ address: String, _ notice: Notice, undoing item: Undoable) -> Response {
        work.giveUpOldDeletions()
        live.collectionChanged()
        return .seeOther(address, notice, undo: item.id)
    }

    /// What deleting says of taking it back.
    var undoPromise: String {
        zoo.isAutosaving
            ? "You can undo this for an hour." : "It waits for Save. You can undo it until then, and for an hour after."
    }
}
