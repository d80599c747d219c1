import Foundation
import Hummingbird
import SwiftData

/// Long tasks: loading many animals and deleting all, with stop, resume and undo.
extension Site {
    func addWorkRoutes(to router: Router<BasicRequestContext>) {
        router.post("/big-sample") { request, _ in try await self.loadBigSample(request) }
        router.get("/delete-all") { request, _ in try await self.confirmDeleteAll(request) }
        router.post("/delete-all") { request, _ in try await self.deleteAll(request) }
        router.post("/task/stop") { request, _ in try await self.control(request) { try $0.stop($1) } }
        router.post("/task/resume") { request, _ in try await self.resumeWork(request) }
        router.post("/task/undo") { request, _ in try await self.undoWork(request) }
        router.post("/task/dismiss") { request, _ in try await self.control(request) { try $0.dismiss($1) } }
    }

    private func control(
        _ request: Request, _ action: @MainActor (LongWork, UUID) throws -> Void
    ) async throws -> Response {
        guard let id = UUID(uuidString: try await FormFields(request)["id"]) else { throw ZooProblem.workIsOver }
        try action(work, id)
        return .seeOther("/")
    }

    private func resumeWork(_ request: Request) async throws -> Response {
        let counts = try await zoo.counts()
        return try await control(request) { try $0.resume($1, from: counts) }
    }

    private func undoWork(_ request: Request) async throws -> Response {
        // Restored models could conflict with unsaved changes.
        if zoo.isAutosaving { try zoo.save() }
        guard !zoo.hasUnsavedChanges else { throw ZooProblem.unsavedChanges }
        return try await control(request) { try $0.undo($1) }
    }

    private func loadBigSample(_ request: Request) async throws -> Response {
        try work.load(bigSampleSize, from: await zoo.counts())
        return .seeOther("/")
    }

    // MARK: Delete all

    private func confirmDeleteAll(_ request: Request) async throws -> Response {
        let plan = try await planForAll()
        let waiting = zoo.isAutosaving ? "" : " It does not wait for Save."
        let confirmation = ConfirmationView(
            question: plan.isEmpty ? "There is nothing to delete" : "Delete all animals and categories?",
            consequence: plan.isEmpty
                ? "The collection is empty."
                : "This is done in small steps. You can stop it, and undo it for an hour.\(waiting)",
            confirmAction: "/delete-all", confirmLabel: "Delete all", cancelAddress: "/", isDestructive: true,
            canConfirm: plan.isPossible && !plan.isEmpty, preview: preview(plan), leavingKey: "*")
        return respond(
            try await page("Delete all", depth: .detail, listing: .all, detail: DetailView(confirmation: confirmation)))
    }

    private func deleteAll(_ request: Request) async throws -> Response {
        let plan = try await planForAll()
        guard !plan.isEmpty else { throw ZooProblem.nothingToDelete }
        try work.delete(plan, "all animals", from: await zoo.counts())
        // Sent before anything is deleted: the delete begins once the main actor is free.
        live.willDelete(.everything)
        return .seeOther("/")
    }

    /// A long delete bypasses the main context, so nothing may be unsaved there. The plan is made in the background, as
    /// it reads every animal's key.
    private func planForAll() async throws -> DeletionPlan {
        guard !work.isUnderWay else { throw ZooProblem.busy }
        if zoo.isAutosaving { try zoo.save() }
        guard !zoo.hasUnsavedChanges else { throw ZooProblem.unsavedChanges }
        let container = zoo.container
        return try await Task.detached {
            let context = ModelContext(container)
            let plan = try context.deletionPlan(for: AnimalCategory.self)
            // A cascade does not reach animals without a category.
            let loners = try context.fetchIdentifiers(
                FetchDescriptor<Animal>(predicate: #Predicate { $0.category == nil }))
            guard !loners.isEmpty else { return plan }
            let categories = try context.fetchIdentifiers(FetchDescriptor<AnimalCategory>())
            return try context.deletionPlan(for: categories + loners)
        }.value
    }
}
