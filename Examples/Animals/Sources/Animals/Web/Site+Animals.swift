import HTTPTypes
import Hummingbird
import SwiftData

/// Animals: list, detail, add, edit, delete.
extension Site {
    func addAnimalRoutes(to router: Router<BasicRequestContext>) {
        router.get("/") { request, _ in try await self.showCategories(request) }
        router.get("/animals") { request, _ in try await self.showAllAnimals(request) }
        router.get("/animals/new") { request, _ in try await self.showNewAnimal(request) }
        router.post("/animals/new") { request, _ in try await self.addAnimal(request) }
        router.get("/animals/:animal") { request, context in try await self.showAnimal(request, context) }
        router.get("/animals/:animal/edit") { request, context in try await self.showEditAnimal(request, context) }
        router.post("/animals/:animal/edit") { request, context in try await self.editAnimal(request, context) }
        router.get("/animals/:animal/delete") { request, context in try await self.confirmDelete(request, context) }
        router.post("/animals/:animal/delete") { request, context in try await self.deleteAnimal(request, context) }
    }

    private func showCategories(_ request: Request) async throws -> Response {
        respond(
            try await page(
                "Categories", depth: .categories, listing: listing(nil, request), notice: notice(request)))
    }

    private func showAllAnimals(_ request: Request) async throws -> Response {
        respond(
            try await page("All animals", depth: .animals, listing: listing(nil, request), notice: notice(request)))
    }

    private func showAnimal(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let requested = try self.animal(context)
        let listing = listing(of: requested, request)
        guard isLasting(requested.persistentModelID, "animal", context) else {
            return seeOther(Address.animal(requested, in: listing), sameNotice: request)
        }
        let content = try await content(listing, relativesIn: requested.category.map { ListedCategory($0) })
        // It may have been deleted meanwhile.
        let animal = try self.animal(context)
        return respond(
            page(
                animal.name, depth: .detail, content: content, selected: ListedAnimal(animal),
                detail: DetailView(animal: view(animal, content)), notice: notice(request)))
    }

    // MARK: Add

    private func showNewAnimal(_ request: Request) async throws -> Response {
        let fields = FormFields(queryOf: request)
        if let problem = Self.lost[fields["deleted"]] {
            return try await respondNewAnimal(AnimalEntry(fields, in: zoo), problem: problem, status: .ok)
        }
        let category = try zoo.identifier(fields["category"]).map(zoo.category)
        let entry = AnimalEntry(diet: Animal.Diet.omnivorous.rawValue, category: category?.persistentModelID)
        return try await respondNewAnimal(entry, listing: listing(category, request), status: .ok)
    }

    /// The problem to show if the model of a form was deleted in another window; see `animals.js`.
    private static let lost: [String: ZooProblem] = [
        "animal": .editedAnimalIsGone, "category": .editedCategoryIsGone,
    ]

    private func addAnimal(_ request: Request) async throws -> Response {
        let entry = AnimalEntry(try await FormFields(request), in: zoo)
        do {
            let animal = try zoo.addAnimal(entry)
            live.collectionChanged()
            // Without the search, which may not match the new animal.
            let listing = Listing(category: animal.category.map { ListedCategory($0) })
            return seeOther(Address.animal(animal, in: listing), .added(animal.name))
        } catch let problem as ZooProblem where problem.isAboutEntry {
            return try await respondNewAnimal(entry, problem: problem, status: problem.status)
        }
    }

    /// - Parameter listing: `nil` for the list of the chosen category.
    private func respondNewAnimal(
        _ entry: AnimalEntry, listing: Listing? = nil, problem: ZooProblem? = nil, status: HTTPResponse.Status
    ) async throws -> Response {
        let category = try? entry.category.map(zoo.category)
        let listing = listing ?? Listing(category: category.map { ListedCategory($0) })
        let form = try form(
            entry, heading: "New animal", action: Address.newAnimal(in: listing), cancel: listing.address,
            submit: "Add", onceDeleted: "/animals/new?deleted=category", problem: problem)
        return respond(
            try await page("New animal", depth: .detail, listing: listing, detail: DetailView(animalForm: form)),
            status: status)
    }

    // MARK: Edit

    private func showEditAnimal(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let animal = try animal(context)
        let listing = listing(of: animal, request)
        guard isLasting(animal.persistentModelID, "animal", context) else {
            return .seeOther(Address.animal(animal, "edit", in: listing))
        }
        let entry = AnimalEntry(
            name: animal.name, diet: animal.diet.rawValue, category: animal.category?.persistentModelID)
        return try await respondEdit(animal, entry, listing)
    }

    private func editAnimal(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let entry = AnimalEntry(try await FormFields(request), in: zoo)
        let animal: Animal
        do {
            animal = try self.animal(context)
        } catch ZooProblem.animalIsGone {
            let problem = ZooProblem.editedAnimalIsGone
            return try await respondNewAnimal(entry, problem: problem, status: problem.status)
        }
        do {
            try zoo.edit(animal, to: entry)
            live.collectionChanged()
            return seeOther(Address.animal(animal, in: listing(of: animal, request)), .changed(animal.name))
        } catch let problem as ZooProblem where problem.isAboutEntry {
            return try await respondEdit(animal, entry, listing(of: animal, request), problem: problem)
        }
    }

    private func respondEdit(
        _ animal: Animal, _ entry: AnimalEntry, _ listing: Listing, problem: ZooProblem? = nil
    ) async throws -> Response {
        let form = try form(
            entry, heading: "Edit animal", action: Address.animal(animal, "edit", in: listing),
            cancel: Address.animal(animal, in: listing), submit: "Done",
            onceDeleted: "/animals/new?deleted=animal", problem: problem)
        return respond(
            try await page(
                "Edit \(animal.name)", depth: .detail, listing: listing, selected: ListedAnimal(animal),
                detail: DetailView(animalForm: form)),
            status: problem?.status ?? .ok)
    }

    private func form(
        _ entry: AnimalEntry, heading: String, action: String, cancel: String, submit: String, onceDeleted: String,
        problem: ZooProblem?
    ) throws -> AnimalFormView {
        let choices = try zoo.categories().map {
            CategoryChoice(
                choiceKey: Address.key($0.persistentModelID), choiceName: $0.name,
                isChosen: $0.persistentModelID == entry.category)
        }
        return AnimalFormView(
            formHeading: heading, formAction: action, cancelAddress: cancel, submitLabel: submit,
            onceDeletedAddress: onceDeleted, enteredName: entry.name,
            longestName: EntryText.longestName,
            diets: Animal.Diet.allCases.map { DietView($0, isChosen: $0.rawValue == entry.diet) },
            choices: choices, hasChosenCategory: choices.contains(where: \.isChosen), problem: problem?.description,
            isNameProblem: problem == .emptyName || problem == .longName)
    }

    // MARK: Delete

    private func confirmDelete(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let animal = try animal(context)
        let listing = listing(of: animal, request)
        let plan = try zoo.deletionPlan(of: animal.persistentModelID)
        let confirmation = ConfirmationView(
            question: "Delete “\(animal.name)”?",
            consequence: undoPromise,
            confirmAction: Address.animal(animal, "delete", in: listing), confirmLabel: "Delete animal",
            cancelAddress: Address.animal(animal, in: listing), isDestructive: true,
            canConfirm: plan.isPossible, preview: preview(plan, unsaved: plan.isEmpty ? 1 : 0),
            leavingKey: Address.key(animal.persistentModelID))
        return respond(
            try await page(
                "Delete \(animal.name)", depth: .detail, listing: listing, selected: ListedAnimal(animal),
                detail: DetailView(confirmation: confirmation)))
    }

    /// All windows leave the animal before it is deleted.
    private func deleteAnimal(_ request: Request, _ context: BasicRequestContext) throws -> Response {
        let animal = try animal(context)
        let listAddress = listing(of: animal, request).address
        live.willDelete(.animal(key: Address.key(animal.persistentModelID)))
        let item = try zoo.delete(animal, seenAt: listAddress)
        return seeOther(listAddress, deleted: item)
    }
}

extension AnimalEntry {
    @MainActor
    init(_ fields: FormFields, in zoo: Zoo) {
        self.init(name: fields["name"], diet: fields["diet"], category: zoo.identifier(fields["category"]))
    }
}

extension ZooProblem {
    /// Whether the form is shown again for correction.
    var isAboutEntry: Bool {
        switch self {
        case .emptyName, .longName, .categoryNameIsTaken, .unknownDiet, .missingCategory, .categoryIsGone: true
        default: false
        }
    }
}
