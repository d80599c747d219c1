import Foundation
import ObjectGraph
import StoreInspection

/// What forms ask for.
struct Actions {
    let site: Site
    /// The page that the form was on, if it is one of these.
    let back: String?

    /// - Returns: the address to go on to.
    /// - Throws: `Problem`.
    func perform(_ route: inout Route, _ form: Fields) async throws -> String {
        guard route.take("do") else { throw Problem.nothingHere }
        let name = try route.next()
        try route.end()
        // What the page with the button is of.
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

    /// - Throws: `Problem` for a token under which nothing is kept.
    private func kept(_ form: Fields) async throws -> (token: RecoveryToken, delete: KeptGroup) {
        guard let token = form["token"].flatMap({ RecoveryToken($0) }) else { throw Problem.nothingHere }
        let kept = try await site.source.look { try $0.store.keptDeletes() }
        guard let delete = try? KeptSelection(kept).group(token.description) else {
            throw Problem(
                .notFound, "This delete is not kept",
                "No delete is kept under this token; it was restored or discarded.", way: .kept)
        }
        return (token, delete)
    }

    /// Back to the row where an edit was saved or undone at once.
    private func result() async -> String {
        guard let status = await site.work.soon(), let edit = status.edit, status.problem == nil,
            status.phase == .saved || status.phase == .reverted
        else { return site.addresses.work }
        return site.addresses.object(edit.object)
    }
}
