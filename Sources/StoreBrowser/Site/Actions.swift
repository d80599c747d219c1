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
        let work = form["work"].flatMap(UUID.init(uuidString:))
        switch name {
        case "delete":
            guard let id = form["plan"].flatMap(UUID.init(uuidString:)) else { throw Problem.planForgotten }
            try site.work.delete(id)
        case "edit": return site.addresses.change(site.edits.remember(try SentEdit(form)))
        case "save":
            guard let id = form["change"].flatMap(UUID.init(uuidString:)) else { throw Problem.changeForgotten }
            try site.work.save(id)
            return await result()
        case "stop": site.work.stop()
        case "resume": try site.work.resume(work)
        case "undo":
            let isEdit = site.work.status?.edit != nil
            try site.work.undo(work)
            if isEdit { return await result() }
        case "restore":
            let (token, delete) = try await kept(form)
            try site.work.restore(token, delete.subject)
        case "forget": try site.work.forget(try await kept(form).delete)
        case "dismiss":
            try site.work.dismiss(work)
            guard site.work.status == nil else { return site.addresses.work }
            return form["stay"] == nil ? site.addresses.entities : back ?? site.addresses.entities
        default: throw Problem.nothingHere
        }
        return site.addresses.work
    }

    /// - Throws: `Problem` if no archived deletion has this token.
    private func kept(_ form: Fields) async throws -> (token: RecoveryToken, delete: KeptGroup) {
        guard let token = form["token"].flatMap({ RecoveryToken($0) }) else { throw Problem.nothingHere }
        let kept = try await site.source.look { try $0.store.archivedDeletes() }
        guard let delete = try? KeptSelection(kept).group(token.description) else {
            throw Problem(
                .notFound, "This delete is not kept",
                "No delete is kept under this token; it was restored or discarded.", way: .kept)
        }
        return (token, delete)
    }

    /// Redirects to the row if the edit was saved or undone without delay.
    private func result() async -> String {
        guard let status = await site.work.soon(), let edit = status.edit, status.problem == nil,
            status.phase == .saved || status.phase == .reverted
        else { return site.addresses.work }
        return site.addresses.object(edit.object)
    }
}
