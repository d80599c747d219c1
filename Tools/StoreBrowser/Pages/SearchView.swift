import ObjectGraph
import SQLiteStore
import StoreInspection

/// Search results in all entities.
struct SearchView: View {
    let title = "Search"
    let place = Place.search
    private let text: String?
    private let search: StoreSearch?
    private let model: Model

    /// - Throws: errors of reading.
    init(_ text: String?, _ store: SQLiteStore) throws {
        self.text = text
        model = store.model
        search = try text.flatMap { WordSearch($0) }.map { try StoreSearch($0, store) }
    }

    var value: InspectedValue {
        let groups = (search?.groups ?? []).map { group in
            InspectedValue.fields([
                InspectedField("entity", .text(group.entity)), InspectedField("count", .count(group.count)),
                InspectedField("more", .boolean(group.isAtLeast)),
                InspectedField("first", .list(group.first.map(Self.value))),
            ])
        }
        return .fields([
            InspectedField("text", .optional(text)), InspectedField("groups", .list(groups)),
            InspectedField("unfinished", .texts(search?.unfinished ?? [])),
        ])
    }

    private static func value(_ hit: StoreSearch.Hit) -> InspectedValue {
        .fields([
            InspectedField("object", .text(hit.id.address)), InspectedField("label", .optional(hit.label)),
            InspectedField("property", .optional(hit.property)), InspectedField("text", .optional(hit.text)),
        ])
    }

    // MARK: HTML

    func body(_ addresses: Addresses) -> Markup {
        guard let search else {
            return """
                <h1>\(title)</h1><p class="nothing">Type a word, a number, a date such as 2024-03-01, or an identifier such as \
                p12 into the search box. Words in quotation marks belong together.</p>
                """
        }
        return """
            <h1>\(title)<small>for <bdi>\(text ?? "")</bdi></small></h1>
            \(unfinished(search))
            \(search.groups.isEmpty ? nothing(search) : "")
            <div class="hits">\(search.groups.map { group($0, addresses) })</div>
            """
    }

    private func nothing(_ search: StoreSearch) -> Markup {
        search.unfinished.isEmpty ? "<p class=\"nothing\">No row has this.</p>" : ""
    }

    private func unfinished(_ search: StoreSearch) -> Markup? {
        guard !search.unfinished.isEmpty else { return nil }
        let names: [Markup] = search.unfinished.map { "<bdi>\($0)</bdi>" }
        return """
            <p class="note">There was not enough time to search \(names.joined(", ")). Filter the rows of the entity instead: \
            that waits as long as it takes.</p>
            """
    }

    private func group(_ group: StoreSearch.Group, _ addresses: Addresses) -> Markup {
        let all = addresses.rows(group.entity, [("where", text.map { asFilter($0, group.entity) })])
        let count = "\(Amounts.count(group.count))\(group.isAtLeast ? "+" : "")"
        let rest: Markup? =
            group.count > group.first.count
            ? """
            <p><a class="button small" href="\(all)">All \(count) <span class="unseen">rows of \(group.entity)</span></a></p>
            """
            : nil
        return """
            <section class="card"><h2><a href="\(all)"><bdi>\(group.entity)</bdi></a> <span class="count">\(count)</span></h2>
            <ul class="hit-list">\(group.first.map { hit($0, group.entity, addresses) })</ul>\(rest)</section>
            """
    }

    private func hit(_ hit: StoreSearch.Hit, _ entity: String, _ addresses: Addresses) -> Markup {
        let place: Markup? = hit.property.map { property in
            "<span class=\"dim\"><bdi>\(property)</bdi>: <bdi>\(hit.text ?? "")</bdi></span>"
        }
        let kind: Markup? =
            hit.id.entityName == entity ? nil : " <span class=\"dim\"><bdi>\(hit.id.entityName)</bdi></span>"
        return "<li>\(Parts.object(hit.id, label: hit.label, addresses))\(kind) \(place)</li>"
    }

    /// Quotes the words if the filter would parse them as a predicate.
    private func asFilter(_ text: String, _ name: String) -> String {
        guard let entity = model.entity(named: name), case .predicate = FilterText(text, on: entity) else {
            return text
        }
        return text.contains("\"") ? "'\(text)'" : "\"\(text)\""
    }
}

/// Candidate rows for a relationship field.
struct SuggestionsView: View {
    let title: String
    let place: Place
    private let rows: [(id: ObjectID, label: String?)]

    /// - Throws: `InspectionError`, and errors of reading.
    init(_ name: String, text: String, _ store: SQLiteStore) throws {
        let entity = try store.model.inspectedEntity(name)
        (title, place) = (entity.name, .rows(entity.name))
        rows = try store.reading { reading in
            let reading = reading.markingUnreadable()
            let found = try RowLookup(entity, store.model, reading).rows(text, in: store)
            let labels = try RowLabels(store.model, reading).labels(of: found)
            return found.map { (id: $0.id, label: labels[$0.id]) }
        }
    }

    var value: InspectedValue {
        .fields([
            InspectedField(
                "rows",
                .list(
                    rows.map {
                        .fields([
                            InspectedField("object", .text($0.id.address)),
                            InspectedField("label", .optional($0.label)),
                        ])
                    }))
        ])
    }

    func body(_ addresses: Addresses) -> Markup {
        let items: [Markup] = rows.map { "<li>\(Parts.object($0.id, label: $0.label, addresses))</li>" }
        return "<h1><bdi>\(title)</bdi></h1><ul class=\"hit-list\">\(items)</ul>"
    }
}
