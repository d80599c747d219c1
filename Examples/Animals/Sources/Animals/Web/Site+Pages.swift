import Foundation
import Hummingbird

extension Site {
    /// A page with all three columns.
    func page(
        _ title: String, depth: Page.Depth, listing: Listing, selected: Animal? = nil,
        detail: DetailView = DetailView(), notice: NoticeView? = nil
    ) throws -> Page {
        let count = try zoo.animalCount(in: listing.category)
        let listing = listing.at(min(listing.page, max(1, (count + Zoo.pageSize - 1) / Zoo.pageSize)))
        return Page(
            title: title, revision: live.revision, depth: depth.rawValue,
            selectedKey: selected.map { ModelKey.text($0.persistentModelID) },
            shownKey: listing.category.map { ModelKey.text($0.persistentModelID) },
            homeKey: selected?.category.map { ModelKey.text($0.persistentModelID) },
            listAddress: listing.address, notice: notice, saving: saving(), work: work.status.map(WorkView.init),
            sidebar: try sidebar(listing, depth), list: try list(listing, count, selected: selected), detail: detail)
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
            rowName: "All animals", rowCount: Number.text(try zoo.animalCount()), rowAddress: "/animals",
            rowIcon: "all",
            rowHue: "hue-none", isShown: listing.isAll && depth != .categories, isRowUnsaved: false)
        return SidebarView(
            all: all, categories: try categories.map { try row($0, isShown: $0 === listing.category) },
            hasNoCategories: categories.isEmpty, bigSampleText: Number.text(bigSampleSize), isBusy: work.isUnderWay)
    }

    private func row(_ category: AnimalCategory, isShown: Bool) throws -> CategoryRow {
        let look = CategoryLook(category: category.name)
        return CategoryRow(
            rowName: category.name, rowCount: Number.text(try zoo.animalCount(in: category)),
            rowAddress: Address.category(category),
            rowIcon: look.icon, rowHue: look.hue, isShown: isShown,
            isRowUnsaved: !zoo.isAutosaving && zoo.isUnsaved(category))
    }

    private func list(_ listing: Listing, _ count: Int, selected: Animal?) throws -> ListView {
        let first = (listing.page - 1) * Zoo.pageSize
        let animals = try zoo.animals(in: listing.category, from: first, atMost: Zoo.pageSize)
        let category = listing.category
        return ListView(
            heading: category?.name ?? "All animals",
            summary: Number.text(count, "animal", "animals"),
            addAddress: Address.newAnimal(in: listing),
            editAddress: category.map { Address.category($0, "edit") },
            deleteAddress: category.map { Address.category($0, "delete") },
            rows: animals.map { row($0, listing, isSelected: $0 === selected) },
            isEmpty: animals.isEmpty, canAdd: try !zoo.categories().isEmpty,
            paging: paging(listing, first: first, count: count))
    }

    private func paging(_ listing: Listing, first: Int, count: Int) -> PagingView? {
        guard count > Zoo.pageSize else { return nil }
        let last = min(count, first + Zoo.pageSize)
        return PagingView(
            rangeText: "\(Number.text(first + 1))–\(Number.text(last)) of \(Number.text(count))",
            previousAddress: first > 0 ? listing.at(listing.page - 1).address : nil,
            nextAddress: last < count ? listing.at(listing.page + 1).address : nil)
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
        let relatives =
            try animal.category.map { category in
                try zoo.animals(in: category, atMost: Self.mostRelatives + 1).filter { $0 !== animal }
                    .prefix(Self.mostRelatives)
            } ?? []
        let company = try animal.category.map { try zoo.animalCount(in: $0) - 1 } ?? 0
        return AnimalView(
            name: animal.name, diet: DietView(animal.diet), icon: look.icon, hue: look.hue,
            categoryName: animal.category?.name ?? "No category",
            categoryAddress: animal.category.map { Address.category($0) },
            companyText: companyText(company), savedText: zoo.isUnsaved(animal) ? "Not saved yet" : "Saved",
            savedHint: zoo.isAutosaving ? "Autosave is on" : "Autosave is off",
            changeAddress: Address.animal(animal, "edit", in: listing),
            removeAddress: Address.animal(animal, "delete", in: listing),
            relatives: relatives.map { row($0, listing, isSelected: false) }, hasRelatives: !relatives.isEmpty)
    }

    /// How many other animals of its category an animal's page names.
    private static let mostRelatives = 12

    private func companyText(_ count: Int) -> String {
        switch count {
        case 0: "The only animal there"
        case 1: "With one other"
        default: "With \(Number.text(count)) others"
        }
    }
}
