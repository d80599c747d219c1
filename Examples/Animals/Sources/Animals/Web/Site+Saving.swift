import Hummingbird

/// Routes for autosave, saving and discarding.
extension Site {
    func addSavingRoutes(to router: Router<BasicRequestContext>) {
        router.post("/saving") { request, _ in try await self.setAutosaving(request) }
        router.post("/save") { request, _ in try await self.save(request) }
        router.get("/discard") { request, _ in try await self.confirmDiscard(request) }
        router.post("/discard") { request, _ in try await self.discard(request) }
    }

    private func setAutosaving(_ request: Request) async throws -> Response {
        let isOn = try await FormFields(request)["autosave"] == "on"
        try zoo.setAutosaving(isOn)
        live.collectionChanged()
        return seeOther("/", isOn ? .autosaveOn : .autosaveOff)
    }

    private func save(_ request: Request) throws -> Response {
        let deletes = zoo.undoList.pending.filter { $0.token != nil }
        try zoo.save()
        if !deletes.isEmpty { work.discardOldDeletions() }
        live.collectionChanged()
        return seeOther("/", .saved(deletes))
    }

    private func confirmDiscard(_ request: Request) async throws -> Response {
        let confirmation = ConfirmationView(
            question: "Discard the unsaved changes?",
            consequence: "Everything returns to how it was at the last save.",
            confirmAction: "/discard", confirmLabel: "Discard changes", cancelAddress: "/", isDestructive: true)
        return respond(
            try await page("Discard", depth: .detail, listing: .all, detail: DetailView(confirmation: confirmation)))
    }

    private func discard(_ request: Request) throws -> Response {
        zoo.discard()
        live.collectionChanged()
        return seeOther("/", .discarded)
    }
}
