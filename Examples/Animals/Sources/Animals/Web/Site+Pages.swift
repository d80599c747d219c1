import Foundation
import Hummingbird

/// What a page is made of.
///
/// The revision and the long task's status are not newer than the collection: a change that a page lacks has another
/// revision, and the bar is measured by the numbers beside it.
struct PageContent {
    let revision: String
    let status: WorkStatus?
    let shown: ShownCollection

    var listing: Listing { shown.listing }
    var counts: AnimalCounts { shown.counts }
    /// Whether a running long task prevents other ones.
    var isBusy: Bool { status?.isUnderWay ?? false }
}

extension Site {
    /// - Parameter category: The category whose first animals are wanted as well.
    func content(_ listing: Listing, relativesIn category: ListedCategory? = nil) async throws -> PageContent {
        let (revision, status) = (live.revision, work.status)
        let newLists: FollowedCollection.NewLists = work.isUnderWay ? .fetched : .followed
        let shown = try await zoo.shown(listing, relativesIn: category, newLists: newLists)
        return PageContent(revision: revision, status: status, shown: shown)
    }

    /// A page with all three columns.
    func page(
        _ title: String, depth: Page.Depth, listing: Listing, selected: ListedAnimal? = nil,
        detail: DetailView = DetailView(), notice: NoticeView? = nil
    ) async throws -> Page {
        page(
            title, depth: depth, content: try await content(listing), selected: selected, detail: detail,
            notice: notice)
    }

    /// A page with all three columns.
    func page(
        _ title: String, depth: Page.Depth, content: PageContent, selected: ListedAnimal?, detail: DetailView,
        notice: NoticeView?
    ) -> Page {
        let listing = content.listing
        return Page(
            title: title, revision: content.revision, time: content.counts.time, depth: depth.rawValue,
            selectedKey: selected.map { Address.key($0.id) },
            shownKey: listing.category.map { Address.key($0.id) },
            homeKey: selected?.category.map { Address.key($0) },
            listAddress: listing.address, notice: notice, saving: saving(),
            work: content.status.map { WorkView($0.measured(by: content.counts)) },
            sidebar: sidebar(content, depth), list: list(content, depth, selected: selected), detail: detail)
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

    private func sidebar(_ content: PageContent, _ depth: Page.Depth) -> SidebarView {
        let (listing, counts) = (content.listing, content.counts)
        let all = CategoryRow(
            rowName: "All animals", rowCount: Number.text(counts.animals), countKey: CountKey.all,
            rowAddress: "/animals", rowIcon: "all", rowHue: "hue-none",
            isShown: listing.isAll && depth != .categories, isRowUnsaved: false)
        return SidebarView(
            all: all, categories: counts.categories.map { row($0, counts, isShown: $0.id == listing.category?.id) },
            headingTag: depth == .categories ? "h1" : "h2", hasNoCategories: counts.categories.isEmpty,
            bigSampleText: Number.text(bigSampleSize, "animal", "animals"), isBusy: content.isBusy,
            canDeleteAll: !content.isBusy && counts.models > 0)
    }

    private func row(_ category: ListedCategory, _ counts: AnimalCounts, isShown: Bool) -> CategoryRow {
        let look = CategoryLook(category: category.name)
        return CategoryRow(
            rowName: category.name, rowCount: Number.text(counts.animals(in: category)),
            countKey: CountKey.of(category), rowAddress: Address.category(category.id),
            rowIcon: look.icon, rowHue: look.hue, isShown: isShown,
            isRowUnsaved: !zoo.isAutosaving && category.isUnsaved)
    }

    private func list(_ content: PageContent, _ depth: Page.Depth, selected: ListedAnimal?) -> ListView {
        let (listing, counts, count) = (content.listing, content.counts, content.shown.count)
        let category = listing.category
        return ListView(
            heading: category?.name ?? "All animals", headingTag: depth == .animals ? "h1" : "h2",
            summary: listing.isSearch
                ? Number.text(count, "match", "matches") : Number.text(count, "animal", "animals"),
            countKey: listing.isSearch ? nil : CountKey.of(category), search: search(listing),
            addAddress: Address.newAnimal(in: listing),
            editAddress: category.map { Address.category($0.id, "edit") },
            deleteAddress: category.map { Address.category($0.id, "delete") },
            canDelete: !content.isBusy || counts.animals(in: category) < Self.longDeletion,
            rows: content.shown.animals.map { row($0, listing, isSelected: $0.id == selected?.id) },
            isEmpty: content.shown.animals.isEmpty, canAdd: !counts.categories.isEmpty,
            paging: paging(listing, count))
    }

    private func search(_ listing: Listing) -> SearchView {
        SearchView(
            place: listing.place, text: listing.search,
            label: listing.category.map { "Search \($0.name)" } ?? "Search all animals",
            longest: EntryText.longestName, isActive: listing.isSearch,
            everywhereAddress: listing.isAll || !listing.isSearch ? nil : Listing(search: listing.search).address)
    }

    private func paging(_ listing: Listing, _ count: Int) -> PagingView? {
        guard count > Listing.pageSize else { return nil }
        let last = min(count, listing.first + Listing.pageSize)
        return PagingView(
            rangeText: "\(Number.text(listing.first + 1))–\(Number.text(last))", countText: Number.text(count),
            countKey: listing.isSearch ? nil : CountKey.of(listing.category),
            previousAddress: listing.first > 0 ? listing.at(listing.page - 1).address : nil,
            nextAddress: last < count ? listing.at(listing.page + 1).address : nil)
    }

    private func row(_ animal: ListedAnimal, _ listing: Listing, isSelected: Bool) -> AnimalRow {
        let look = CategoryLook(category: animal.categoryName)
        let diet = animal.diet.rawValue
        return AnimalRow(
            key: Address.key(animal.id), rowName: animal.name,
            rowSummary: listing.isAll ? "\(animal.categoryName ?? "No category") · \(diet)" : diet,
            rowAddress: Address.animal(animal.id, in: listing),
            rowDeleteAddress: Address.animal(animal.id, "delete", in: listing),
            rowIcon: look.icon, rowHue: look.hue, isSelected: isSelected,
            isRowUnsaved: !zoo.isAutosaving && animal.isUnsaved)
    }

    /// - Parameter content: With the first animals of the animal's category.
    func view(_ animal: Animal, _ content: PageContent) -> AnimalView {
        let listing = content.listing
        let look = CategoryLook(category: animal.category?.name)
        let relatives = content.shown.relatives.filter { $0.id != animal.persistentModelID }
            .prefix(ShownCollection.mostRelatives)
        let company = animal.category.map { content.counts.animals(in: ListedCategory($0)) - 1 } ?? 0
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

    private func companyText(_ count: Int) -> String {
        switch count {
        case ...0: "No other animals"
        default: "With \(Number.text(count, "other", "others"))"
        }
    }
}
