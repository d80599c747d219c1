import Foundation
import Hummingbird

/// Routes for undoing deletes.
extension Site {
    func addUndoRoutes(to router: Router<BasicRequestContext>) {
        router.post("/undo") { request, _ in try await self.undo(request) }
    }

    private func undo(_ request: Request) async throws -> Response {
        let id = try await FormFields(request)["id"]
        guard !work.isMovingModels else { throw ZooProblem.busy }
        // Windows may show samples that are about to be deleted.
        let items = try zoo.undo(id) { live.willDelete(.everything) }
        live.collectionChanged()
        return seeOther(items.last?.address ?? "/", .restored(items))
    }

    /// Redirects with a notice of the delete and a button that undoes it.
    func seeOther(_ address: String, deleted item: Undoable) -> Response {
        work.discardOldDeletions()
        live.collectionChanged()
        return seeOther(address, .deleted(item))
    }

    /// The sentence of a confirmation about undoing the delete.
    var undoPromise: String {
        zoo.isAutosaving
            ? "You can undo this for an hour."
            : "It is not final until you save. You can undo it before that, and for an hour afterwards."
    }
}
