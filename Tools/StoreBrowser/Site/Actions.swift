import Foundation
import ObjectGraph
import StoreInspection

/// Performs the actions that forms send.
struct Actions {
    let site: Site
    /// The page that contained the form, if it is a page of this site.
    let back: String?

    /// - Returns: the address to redirect to.
    /// - Throws: `Problem`.
    func perform(_ route: inout Route, _ form: Fields) async throws -> String {
        guard route.take("do") else { throw Problem.nothingHere }
        let name = try route.next()
        try route.end()
        // The operation shown on the page that had the button.
        let operation = form["work"].flatMap(UUID.init(uuidString:))
        switch name {
        case "delete":
            guard let id = form["plan"].flatMap(UUID.init(uuidString:)) else { throw Problem.planForgotten }
            try site.operation.delete(id)
        case "edit": return site.addresses.change(site.edits.remember(try SentEdit(form)))
        case "save":
            guard let id = form["change"].flatMap(UUID.init(uuidString:)) else { throw Problem.changeForgotten }
            try site.operation.save(id)
            return await result()
        case "stop": site.operation.stop()
        case "resume": try site.operation.resume(operation)
        case "undo":
            let isEdit = site.operation.status?.edit != nil
            try site.operation.undo(operation)
            if isEdit { return await result() }
        case "restore":
            let (token, delete) = try await archivedDeletion(form)
            try site.operation.restore(token, delete.subject)
        case "forget": try site.operation.discard(try await archivedDeletion(form).delete)
        case "dismiss":
            try site.operation.dismiss(operation)
            guard site.operation.status == nil else { return site.addresses.operation }
            return form["stay"] == nil ? site.addresses.entities : back ?? site.addresses.entities
        default: throw Problem.nothingHere
        }
        return site.addresses.operation
    }

    /// - Throws: `Problem` if no archived deletion has this token.
    private func archivedDeletion(_ form: Fields) async throws -> (token: RecoveryToken, delete: ArchivedDeletionGroup)
    {
        guard let token = form["token"].flatMap({ RecoveryToken($0) }) else { throw Problem.nothingHere }
        let kept = try await site.source.readSession { try $0.store.archivedDeletes() }
        guard let delete = try? ArchivedDeletionSelection(kept).group(token.description) else {
            throw Problem(
                .notFound, "This delete is not kept",
                "No delete is kept under this token; it was restored or discarded.", way: .kept)
        }
        return (token, delete)
    }

    /// Redirects to the row if the edit was saved or undone without delay.
    private func result() async -> String {
        guard let status = await site.operation.statusAfterShortWait(), let edit = status.edit, status.problem == nil,
            status.phase == .saved || status.phase == .reverted
        else { return site.addresses.operation }
        return site.addresses.object(edit.object)
    }
}
