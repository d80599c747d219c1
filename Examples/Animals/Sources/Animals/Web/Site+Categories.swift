import HTTPTypes
import Hummingbird
import SwiftData

/// Categories: their animals, add, rename, delete, and the sample data.
extension Site {
    func addCategoryRoutes(to router: Router<BasicRequestContext>) {
        router.get("/categories/new") { request, _ in try await self.showNewCategory(request) }
        router.post("/categories/new") { request, _ in try await self.addCategory(request) }
        router.get("/categories/:category") { request, context in try await self.showCategory(request, context) }
        router.get("/categories/:category/edit") { request, context in try await self.showRename(request, context) }
        router.post("/categories/:category/edit") { request, context in try await self.rename(request, context) }
        router.get("/categories/:category/delete") { request, context in
            try await self.confirmDeleteCategory(request, context)
        }
        router.post("/categories/:category/delete") { request, context in
            try await self.deleteCategory(request, context)
        }
        router.get("/sample-data") { request, _ in try await self.confirmReload(request) }
        router.post("/sample-data") { request, _ in try await self.reload(request) }
    }

    private func showCategory(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let category = try category(context)
        guard isLasting(category.persistentModelID, "category", context) else {
            return seeOther(Address.category(category), sameNotice: request)
        }
        return respond(
            try await page(
                category.name, depth: .animals, listing: listing(category, request), notice: notice(request)))
    }

    // MARK: Add and rename

    private func showNewCategory(_ request: Request) async throws -> Response {
        let fields = FormFields(queryOf: request)
        let isKept = fields["deleted"] == "category"
        return try await respondNewCategory(fields["name"], problem: isKept ? .editedCategoryIsGone : nil, status: .ok)
    }

    private func addCategory(_ request: Request) async throws -> Response {
        let name = try await FormFields(request)["name"]
        do {
            let category = try zoo.addCategory(named: name)
            live.collectionChanged()
            return seeOther(Address.category(category), .added(category.name))
        } catch let problem as ZooProblem where problem.isAboutEntry {
            return try await respondNewCategory(name, problem: problem, status: problem.status)
        }
    }

    private func respondNewCategory(
        _ name: String, problem: ZooProblem?, status: HTTPResponse.Status
    ) async throws -> Response {
        let form = CategoryFormView(
            formHeading: "New category", formAction: "/categories/new", cancelAddress: "/", submitLabel: "Add",
            enteredName: name, problem: problem)
        return respond(
            try await page("New category", depth: .detail, listing: .all, detail: DetailView(categoryForm: form)),
            status: status)
    }

    private func showRename(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let category = try category(context)
        guard isLasting(category.persistentModelID, "category", context) else {
            return .seeOther(Address.category(category, "edit"))
        }
        return try await respondRename(category, category.name, problem: nil)
    }

    private func rename(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let name = try await FormFields(request)["name"]
        let category: AnimalCategory
        do {
            category = try self.category(context)
        } catch ZooProblem.categoryIsGone {
            let problem = ZooProblem.editedCategoryIsGone
            return try await respondNewCategory(name, problem: problem, status: problem.status)
        }
        do {
            let former = category.name
            try zoo.rename(category, to: name)
            live.collectionChanged()
            return seeOther(Address.category(category), .renamed(former, category.name))
        } catch let problem as ZooProblem where problem.isAboutEntry {
            return try await respondRename(category, name, problem: problem)
        }
    }

    private func respondRename(
        _ category: AnimalCategory, _ name: String, problem: ZooProblem?
    ) async throws -> Response {
        let form = CategoryFormView(
            formHeading: "Rename category", formAction: Address.category(category, "edit"),
            cancelAddress: Address.category(category), submitLabel: "Done", enteredName: name, problem: problem)
        return respond(
            try await page(
                "Rename \(category.name)", depth: .detail, listing: Listing(category: ListedCategory(category)),
                detail: DetailView(categoryForm: form)),
            status: problem?.status ?? .ok)
    }

    // MARK: Delete

    private func confirmDeleteCategory(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let category = try category(context)
        let count = try zoo.animalCount(in: category)
        let plan = try zoo.deletionPlan(of: category.persistentModelID)
        let confirmation = ConfirmationView(
            question: "Delete “\(category.name)”?",
            consequence: (count == 0
                ? "The category is empty." : "This also deletes its \(Number.text(count, "animal", "animals")).")
                + " " + undoPromise,
            confirmAction: Address.category(category, "delete"), confirmLabel: "Delete category",
            cancelAddress: Address.category(category), isDestructive: true, canConfirm: plan.isPossible,
            preview: preview(plan, unsaved: zoo.unsavedAnimalCount(in: category)),
            leavingKey: Address.key(category.persistentModelID))
        return respond(
            try await page(
                "Delete \(category.name)", depth: .detail, listing: Listing(category: ListedCategory(category)),
                detail: DetailView(confirmation: confirmation)))
    }

    private func deleteCategory(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let counts = try await zoo.counts()
        let category = try category(context)
        let key = Address.key(category.persistentModelID)
        let plan = try zoo.deletionPlan(of: category.persistentModelID)
        if zoo.isAutosaving, plan.count > Self.longDeletion {
            try zoo.save()
            // Throws if another long task is running; otherwise the delete begins once the main actor is free.
            try work.delete(plan, "“\(category.name)”", from: counts)
            live.willDelete(.category(key: key))
            return .seeOther("/")
        }
        live.willDelete(.category(key: key))
        let item = try zoo.delete(category, seenAt: Address.category(category))
        return seeOther("/", deleted: item)
    }

    /// Larger deletes run in steps, with a progress bar.
    static let longDeletion = 2_000

    // MARK: Sample data

    private func confirmReload(_ request: Request) async throws -> Response {
        guard !work.isUnderWay else { throw ZooProblem.busy }
        let plan = try zoo.context.deletionPlan(for: AnimalCategory.self)
        let confirmation = ConfirmationView(
            question: "Reload the sample data?",
            consequence:
                "This deletes every category with its animals, and loads the samples instead. \(undoPromise)",
            confirmAction: "/sample-data", confirmLabel: "Delete all and reload", cancelAddress: "/",
            isDestructive: true, canConfirm: plan.isPossible, preview: plan.isEmpty ? nil : preview(plan),
            leavingKey: "*")
        return respond(
            try await page("Reload", depth: .detail, listing: .all, detail: DetailView(confirmation: confirmation)))
    }

    private func reload(_ request: Request) throws -> Response {
        guard !work.isUnderWay else { throw ZooProblem.busy }
        live.willDelete(.everything)
        return seeOther("/", deleted: try zoo.reloadSampleData())
    }
}
