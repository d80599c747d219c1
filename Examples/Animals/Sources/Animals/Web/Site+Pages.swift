import Foundation
import Hummingbird

extension Site {
    /// A page with all three columns.
    func page(
        _ title: String, depth: Page.Depth, listing: Listing, selected: Animal? = nil,
        detail: DetailView = DetailView(), notice: String? = nil
    ) throws -> Page {
        Page(
            title: title, revision: live.revision, depth: depth.rawValue,
            selectedKey: selected.map { ModelKey.text($0.persistentModelID) },
            shownKey: listing.category.map { ModelKey.text($0.persistentModelID) },
            listAddress: listing.address, notice: notice, saving: saving(),
            sidebar: try sidebar(listing, depth), list: try list(listing, selected: selected), detail: detail)
    }

    private func saving() -> SavingView {
        let isDirty = zoo.hasUnsavedChanges
        let text =
            switch (isDirty, zoo.isAutosaving) {
            case (true, true): "Saving…"
            case (true, false): "Unsaved changes"
            case (false, _): "All changes saved"
            }
        return SavingView(
            isAutosaving: zoo.isAutosaving, isDirty: isDirty, stateText: text, unsavedCount: zoo.unsavedChangeCount,
            switchValue: zoo.isAutosaving ? "off" : "on")
    }

    private func sidebar(_ listing: Listing, _ depth: Page.Depth) throws -> SidebarView {
        let categories = try zoo.categories()
        let all = CategoryRow(
            rowName: "All animals", rowCount: try zoo.animalCount(), rowAddress: "/animals", rowIcon: "all",
            rowHue: "hue-none", isShown: listing.isAll && depth != .categories, isRowUnsaved: false)
        return SidebarView(
            all: all, categories: categories.map { row($0, isShown: $0 === listing.category) },
            hasNoCategories: categories.isEmpty)
    }

    private func row(_ category: AnimalCategory, isShown: Bool) -> CategoryRow {
        let look = CategoryLook(category: category.name)
        return CategoryRow(
            rowName: category.name, rowCount: category.animals.count, rowAddress: Address.category(category),
            rowIcon: look.icon, rowHue: look.hue, isShown: isShown,
            isRowUnsaved: !zoo.isAutosaving && zoo.isUnsaved(category))
    }

    private func list(_ listing: Listing, selected: Animal?) throws -> ListView {
        let animals = try zoo.animals(in: listing.category)
        let category = listing.category
        return ListView(
            heading: category?.name ?? "All animals",
            summary: animals.count == 1 ? "1 animal" : "\(animals.count) animals",
            addAddress: Address.newAnimal(in: listing),
            editAddress: category.map { Address.category($0, "edit") },
            deleteAddress: category.map { Address.category($0, "delete") },
            rows: animals.map { row($0, listing, isSelected: $0 === selected) },
            isEmpty: animals.isEmpty, canAdd: try !zoo.categories().isEmpty)
    }

    func row(_ animal: Animal, _ listing: Listing, isSelected: Bool) -> AnimalRow {
        let look = CategoryLook(category: animal.category?.name)
        let diet = animal.diet.rawValue
        return AnimalRow(
            key: ModelKey.text(animal.persistentModelID), rowName: animal.name,
            rowSummary: listing.isAll ? "\(animal.category?.name ?? "No category") · \(diet)" : diet,
            rowAddress: Address.animal(animal, in: listing),
            rowDeleteAddress: Address.animal(animal, "delete", in: listing),
            rowIcon: look.icon, rowHue: look.hue, isSelected: isSelected,
            isRowUnsaved: !zoo.isAutosaving && zoo.isUnsaved(animal))
    }

    func view(_ animal: Animal, _ listing: Listing) throws -> AnimalView {
        let look = CategoryLook(category: animal.category?.name)
        let relatives = try animal.category.map { try zoo.animals(in: $0).filter { $0 !== animal } } ?? []
        return AnimalView(
            name: animal.name, diet: DietView(animal.diet), icon: look.icon, hue: look.hue,
            categoryName: animal.category?.name ?? "No category",
            categoryAddress: animal.category.map { Address.category($0) },
            companyText: company(relatives.count), savedText: zoo.isUnsaved(animal) ? "Not saved yet" : "Saved",
            savedHint: zoo.isAutosaving ? "Autosave is on" : "Autosave is off",
            changeAddress: Address.animal(animal, "edit", in: listing),
            removeAddress: Address.animal(animal, "delete", in: listing),
            relatives: relatives.map { row($0, listing, isSelected: false) }, hasRelatives: !relatives.isEmpty)
    }

    private func company(_ count: Int) -> String {
        switch count {
        case 0: "The only animal there"
        case 1: "With one other"
        default: "With \(count) others"
        }
    }
}
