import Foundation
import Hummingbird

extension Site {
    /// A page with all three columns.
    /// - Parameter counts: The counts that the detail shows, if any.
    func page(
        _ title: String, depth: Page.Depth, listing: Listing, selected: Animal? = nil,
        detail: DetailView = DetailView(), notice: NoticeView? = nil, counts: AnimalCounts? = nil
    ) throws -> Page {
        let counts = try counts ?? zoo.counts()
        let found = try animals(of: listing, counts)
        let listing = found.listing
        return Page(
            title: title, revision: live.revision, time: counts.time, depth: depth.rawValue,
            selectedKey: selected.map { Address.key($0.persistentModelID) },
            shownKey: listing.category.map { Address.key($0.persistentModelID) },
            homeKey: selected?.category.map { Address.key($0.persistentModelID) },
            listAddress: listing.address, notice: notice, saving: saving(),
            work: work.status.map { WorkView($0.measured(by: counts)) },
            sidebar: sidebar(listing, depth, counts),
            list: list(found, depth, counts, selected: selected), detail: detail)
    }

    /// The animals on one page of a list.
    @MainActor
    private struct Found {
        let listing: Listing
        let animals: [Animal]
        /// The total number of animals in the list.
        let count: Int

        var first: Int { (listing.page - 1) * Zoo.pageSize }
    }

    /// A page beyond the last one is replaced by the last one.
    private func animals(of listing: Listing, _ counts: AnimalCounts) throws -> Found {
        let first = (listing.page - 1) * Zoo.pageSize
        let animals = try zoo.animals(
            in: listing.category, named: listing.search, from: first, atMost: Zoo.pageSize)
        let count = try count(listing, counts, first, animals)
        let lastPage = max(1, (count + Zoo.pageSize - 1) / Zoo.pageSize)
        guard listing.page > lastPage else { return Found(listing: listing, animals: animals, count: count) }
        return try self.animals(of: listing.at(lastPage), counts)
    }

    /// A search reads every name, so its matches are not counted if this is the last page.
    private func count(_ listing: Listing, _ counts: AnimalCounts, _ first: Int, _ animals: [Animal]) throws -> Int {
        guard listing.isSearch else { return counts.animals(in: listing.category) }
        let isLastPage = animals.count < Zoo.pageSize && (first == 0 || !animals.isEmpty)
        return isLastPage
            ? first + animals.count : try zoo.animalCount(in: listing.category, named: listing.search)
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

    private func sidebar(_ listing: Listing, _ depth: Page.Depth, _ counts: AnimalCounts) -> SidebarView {
        let all = CategoryRow(
            rowName: "All animals", rowCount: Number.text(counts.animals), countKey: CountKey.all,
            rowAddress: "/animals", rowIcon: "all", rowHue: "hue-none",
            isShown: listing.isAll && depth != .categories, isRowUnsaved: false)
        return SidebarView(
            all: all, categories: counts.categories.map { row($0, counts, isShown: $0 === listing.category) },
            headingTag: depth == .categories ? "h1" : "h2", hasNoCategories: counts.categories.isEmpty,
            bigSampleText: Number.text(bigSampleSize, "animal", "animals"), isBusy: work.isUnderWay,
            canDeleteAll: !work.isUnderWay && counts.models > 0)
    }

    private func row(_ category: AnimalCategory, _ counts: AnimalCounts, isShown: Bool) -> CategoryRow {
        let look = CategoryLook(category: category.name)
        return CategoryRow(
            rowName: category.name, rowCount: Number.text(counts.animals(in: category)),
            countKey: CountKey.of(category), rowAddress: Address.category(category),
            rowIcon: look.icon, rowHue: look.hue, isShown: isShown,
            isRowUnsaved: !zoo.isAutosaving && zoo.isUnsaved(category))
    }

    private func list(_ found: Found, _ depth: Page.Depth, _ counts: AnimalCounts, selected: Animal?) -> ListView {
        let listing = found.listing
        let category = listing.category
        return ListView(
            heading: category?.name ?? "All animals", headingTag: depth == .animals ? "h1" : "h2",
            summary: listing.isSearch
                ? Number.text(found.count, "match", "matches") : Number.text(found.count, "animal", "animals"),
            countKey: listing.isSearch ? nil : CountKey.of(category), search: search(listing),
            addAddress: Address.newAnimal(in: listing),
            editAddress: category.map { Address.category($0, "edit") },
            deleteAddress: category.map { Address.category($0, "delete") },
            canDelete: !work.isUnderWay || counts.animals(in: category) < Self.longDeletion,
            rows: found.animals.map { row($0, listing, isSelected: $0 === selected) },
            isEmpty: found.animals.isEmpty, canAdd: !counts.categories.isEmpty, paging: paging(found))
    }

    private func search(_ listing: Listing) -> SearchView {
        SearchView(
            place: listing.place, text: listing.search,
            label: listing.category.map { "Search \($0.name)" } ?? "Search all animals",
            longest: EntryText.longestName, isActive: listing.isSearch,
            everywhereAddress: listing.isAll || !listing.isSearch ? nil : Listing(search: listing.search).address)
    }

    private func paging(_ found: Found) -> PagingView? {
        let (listing, count) = (found.listing, found.count)
        guard count > Zoo.pageSize else { return nil }
        let last = min(count, found.first + Zoo.pageSize)
        return PagingView(
            rangeText: "\(Number.text(found.first + 1))–\(Number.text(last))", countText: Number.text(count),
            countKey: listing.isSearch ? nil : CountKey.of(listing.category),
            previousAddress: found.first > 0 ? listing.at(listing.page - 1).address : nil,
            nextAddress: last < count ? listing.at(listing.page + 1).address : nil)
    }

    func row(_ animal: Animal, _ listing: Listing, isSelected: Bool) -> AnimalRow {
        let look = CategoryLook(category: animal.category?.name)
        let diet = animal.diet.rawValue
        return AnimalRow(
            key: Address.key(animal.persistentModelID), rowName: animal.name,
            rowSummary: listing.isAll ? "\(animal.category?.name ?? "No category") · \(diet)" : diet,
            rowAddress: Address.animal(animal, in: listing),
            rowDeleteAddress: Address.animal(animal, "delete", in: listing),
            rowIcon: look.icon, rowHue: look.hue, isSelected: isSelected,
            isRowUnsaved: !zoo.isAutosaving && zoo.isUnsaved(animal))
    }

    func view(_ animal: Animal, _ listing: Listing, _ counts: AnimalCounts) throws -> AnimalView {
        let look = CategoryLook(category: animal.category?.name)
        let relatives =
            try animal.category.map { category in
                try zoo.animals(in: category, atMost: Self.mostRelatives + 1).filter { $0 !== animal }
                    .prefix(Self.mostRelatives)
            } ?? []
        let company = animal.category.map { counts.animals(in: $0) - 1 } ?? 0
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

    /// The number of other animals of the category that an animal's page lists.
    private static let mostRelatives = 12

    private func companyText(_ count: Int) -> String {
        switch count {
        case ...0: "No other animals"
        default: "With \(Number.text(count, "other", "others"))"
        }
    }
}
