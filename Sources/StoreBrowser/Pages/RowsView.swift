import ObjectGraph
import SQLiteStore
import StoreInspection

/// Rows of an entity, a page at a time.
struct RowsView: View {
    let wish: RowsWish
    let place: Place
    private let entity: Entity
    private let model: Model
    /// Names of properties, in order.
    private let columns: [String]
    private let rows: [ListedRow]
    /// For programs only.
    private let exact: [[InspectedField]]
    private let total: Int
    /// `nil` where the wish cannot be understood.
    private let page: RowsPage?
    /// Where the next page begins, and the one before ends; `nil` where rows must be counted through.
    private let cursors: (next: RowsCursor?, before: RowsCursor?)
    private let sortable: Set<String>
    /// The object whose links are followed to these rows.
    private let from: ObjectID?
    private let trouble: Trouble?

    /// Why there are no rows, or not all of them.
    private struct Trouble: Sendable {
        let place: Place
        let text: String

        enum Place: Sendable {
            /// As it was typed.
            case filter
            case sort
            /// Which rows are led to.
            case origin
            /// Behind, or before, those that are shown.
            case row
        }
    }

    var title: String { entity.name }

    /// - Throws: `InspectionError`, and what reading throws; what is wrong with the wish, and a row that cannot be read, are
    ///   told on the page.
    init(_ wish: RowsWish, _ store: SQLiteStore, _ reading: StoreReading, forPrograms: Bool) throws {
        self.wish = wish
        model = store.model
        let entity = try model.inspectedEntity(wish.entity)
        self.entity = entity
        place = .rows(entity.name)
        let (query, trouble) = try Self.query(wish, entity, store, reading)
        let listing = try RowListing(query, in: model, style: .exact, detail: .addresses)
        let telling = RowLabel.attributes(of: entity).first?.name
        // What tells rows apart comes first.
        columns =
            listing.columns.filter { $0 == telling }
            + listing.columns.filter {
                $0 != RowRendering.idField && $0 != telling
            }
        sortable = Set(
            columns.filter { (try? PropertyPath.sortKeys($0, on: entity, in: store.model)) != nil })
        from = (wish.target ?? wish.owner).flatMap { try? RowsWish.id($0, store, reading) }
        guard trouble == nil else {
            (rows, exact, total, page, cursors, self.trouble) = ([], [], 0, nil, (nil, nil), trouble)
            return
        }
        total = try reading.count(query)
        let page = try RowsPage(wish, query, total: total, store, reading)
        self.page = page
        cursors = try Self.cursors(page, query, store, reading)
        self.trouble = page.obstacle.map { Trouble(place: .row, text: "\($0.problem.heading). \($0.problem.text)") }
        exact = forPrograms ? try listing.rows(page.rows, reading) : []
        rows = forPrograms ? [] : try ListedRow.rows(page.rows, columns, entity, reading, model)
    }

    private static func query(
        _ wish: RowsWish, _ entity: Entity, _ store: SQLiteStore, _ reading: StoreReading
    ) throws -> (Query, Trouble?) {
        var query = Query(entityIndex: entity.index)
        do {
            query.sort = try wish.sort.map { try PropertyPath.sortKeys($0, on: entity, in: store.model) } ?? []
        } catch let error as InspectionError {
            return (query, Trouble(place: .sort, text: "The order cannot be used. \(Problem(error).text)"))
        }
        do {
            var found = try wish.query(store, reading)
            found.sort = query.sort
            return (found, nil)
        } catch  where error is UnreadablePredicate || error is FormatTranslationError || error is InspectionError {
            return (query, Trouble(place: wish.filter == nil ? .origin : .filter, text: Problem(error).text))
        }
    }

    /// Beyond a row that cannot be read, rows are counted through: from a place beside it, it would be met again.
    private static func cursors(
        _ page: RowsPage, _ query: Query, _ store: SQLiteStore, _ reading: StoreReading
    ) throws -> (next: RowsCursor?, before: RowsCursor?) {
        let entity = store.model[query.entityIndex]
        guard RowsCursor.hasPlaces(query.sort, of: entity) else { return (nil, nil) }
        /// Of a row that is found at the place it says.
        func cursor(_ direction: RowsCursor.Direction, _ row: Snapshot?) throws -> RowsCursor? {
            guard page.obstacle?.side != direction, let row, let cursor = RowsCursor(direction, row, query.sort) else {
                return nil
            }
            let own = cursor.ownRow(query) { store.objectID(entity: entity, key: $0) }
            return try own.map { try reading.count($0) == 1 } ?? true ? cursor : nil
        }
        return (try cursor(.after, page.rows.last), try cursor(.before, page.rows.first))
    }

    /// From 1.
    private var number: Int { page.map { $0.offset / wish.size + 1 } ?? wish.page }
    private var hasNext: Bool { page?.hasNext ?? false }

    // MARK: For programs

    var value: InspectedValue {
        var fields = [
            InspectedField("entity", .text(entity.name)), InspectedField("filter", .optional(wish.filter)),
            InspectedField("sort", .optional(wish.sort)), InspectedField("page", .count(number)),
            InspectedField("size", .count(wish.size)), InspectedField("total", .count(total)),
            // Rows follow where there is one: the field `page` of the next request, and its field `after` where that is
            // not nil.
            InspectedField("nextPage", hasNext ? .count(number + 1) : .none),
            InspectedField("after", .optional(hasNext ? cursors.next?.field.1 : nil)),
            InspectedField("rows", .list(exact.map(InspectedValue.fields))),
        ]
        if let trouble { fields.append(InspectedField("problem", .text(trouble.text))) }
        return .fields(fields)
    }

    var status: WebResponse.Status {
        guard let trouble else { return .ok }
        return trouble.place == .row ? .failed : .badRequest
    }

    // MARK: For people

    func body(_ addresses: Addresses) -> Markup {
        """
        <h1><bdi>\(entity.name)</bdi>\(origin(addresses))</h1>
        \(filter(addresses))
        \(problem(addresses))
        <form class="rows" method="get" action="\(addresses.plan())">
        \(toolbar(addresses))
        \(rows.isEmpty ? nothing(addresses) : table(addresses))
        <div class="selection" role="status"><span><b data-selected>Rows</b> selected</span>\
        <button class="button danger">See what deleting takes</button></div>
        </form>
        \(rows.isEmpty && total == 0 ? nil : pager(addresses))
        """
    }

    private func problem(_ addresses: Addresses) -> Markup? {
        guard let trouble else { return nil }
        let more: Markup? =
            switch trouble.place {
            case .filter, .origin: nil
            case .sort:
                " <a href=\"\(addresses.rows(entity.name, wish.fields(sort: nil, page: 1)))\">Without an order</a>"
            case .row: " What else is on its page is not shown."
            }
        return "<p class=\"problem-line\" role=\"alert\">\(trouble.text)\(more)</p>"
    }

    /// Where one came from, with a way back, and one out of it.
    private func origin(_ addresses: Addresses) -> Markup? {
        func link(_ object: String) -> Markup {
            from.map { "<a href=\"\(addresses.object($0))\"><bdi>\(object)</bdi></a>" } ?? "<bdi>\(object)</bdi>"
        }
        let out: Markup = "<a class=\"out\" href=\"\(addresses.rows(entity.name))\">all rows</a>"
        if let leads = wish.leads, let target = wish.target {
            return "<small>whose <bdi>\(leads)</bdi> leads to \(link(target))\(out)</small>"
        }
        guard let owner = wish.owner, let through = wish.through else { return nil }
        return "<small><bdi>\(through)</bdi> of \(link(owner))\(out)</small>"
    }

    private func nothing(_ addresses: Addresses) -> Markup {
        guard trouble == nil else { return "" }
        guard total == 0 else {
            return wish.cursor == nil
                ? Parts.behindLast(wish.page, of: lastPage)
                : "<p class=\"nothing\">There are no rows here any more.</p>"
        }
        guard wish.isNarrowed else { return "<p class=\"nothing\">No rows.</p>" }
        return """
            <p class="nothing">No row matches. <a href="\(addresses.rows(entity.name, [("sort", wish.sort)]))">All rows</a></p>
            """
    }

    private func filter(_ addresses: Addresses) -> Markup {
        let example =
            (RowLabel.attributes(of: entity).first?.name)
            .map { "\($0) BEGINSWITH 'A'" } ?? "SELF != nil"
        // An order that cannot be used does not stay.
        let kept = wish.fields(sort: trouble?.place == .sort ? nil : wish.sort, page: 1).filter { $0.0 != "where" }
        let hidden: [Markup] = kept.compactMap { name, value in
            value.map { "<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">" }
        }
        return """
            <form class="filter" method="get" action="\(addresses.rows(entity.name))" role="search">\(hidden)
            <input type="search" name="where" value="\(wish.filter ?? "")" placeholder="Filter: \(example)" \
            aria-label="Filter, as a predicate" spellcheck="false" autocapitalize="off" autocomplete="off"\
            \("aria-invalid=\"true\"", if: trouble?.place == .filter)>
            <button class="button">Filter</button>\(clearing(addresses))</form>
            """
    }

    private func clearing(_ addresses: Addresses) -> Markup? {
        guard wish.filter != nil else { return nil }
        var all = wish
        all.filter = nil
        let address = addresses.rows(entity.name, all.fields(sort: wish.sort, page: 1))
        return "<a class=\"button quiet\" href=\"\(address)\">Clear</a>"
    }

    /// On phones, where the table has no head to press.
    private func choices(_ addresses: Addresses) -> Markup {
        let items: [Markup] = columns.filter(sortable.contains).flatMap { column in
            [(column, "↑", "ascending"), ("-" + column, "↓", "descending")].map { sort, mark, order -> Markup in
                let address = addresses.rows(entity.name, wish.fields(sort: sort, page: 1))
                return """
                    <a href="\(address)"\("aria-current=\"true\"", if: wish.sort == sort) aria-label="\(column), \(order)">\
                    <bdi>\(column)</bdi> \(mark)</a>
                    """
            }
        }
        let sorted: Markup = wish.sort.map { "Sorted by <bdi>\($0)</bdi>" } ?? "Sort"
        let sorting: Markup? =
            items.isEmpty
            ? nil
            : """
            <details class="sorting"><summary class="button small">\(sorted)</summary><div class="sorts">\(items)</div></details>
            """
        return """
            <div class="choices">\(sorting)<label class="button small all"><input type="checkbox" data-all> Select all</label></div>
            """
    }

    private func toolbar(_ addresses: Addresses) -> Markup {
        guard !rows.isEmpty || trouble?.place == .row else { return "" }
        let all = addresses.plan([("entity", entity.name)] + wish.choosing)
        let words = wish.isNarrowed ? "Plan deleting all \(Amounts.count(total))" : "Plan deleting every row"
        return """
            <div class="toolbar">\(pager(addresses))<a class="button quiet" href="\(all)">\(words)</a></div>\(choices(addresses))
            """
    }

    private var lastPage: Int { Parts.pageCount(total, wish.size) }

    private func pager(_ addresses: Addresses) -> Markup {
        let last = lastPage
        func address(_ page: Int, _ cursor: RowsCursor?) -> String {
            addresses.rows(entity.name, wish.fields(sort: wish.sort, page: page, cursor: cursor))
        }
        let hasBefore = page?.hasBefore ?? false
        // The first page has a place of its own where another one ends at it.
        let isSecond = page?.offset == wish.size
        let links = Parts.PageLinks(
            first: hasBefore ? address(1, nil) : nil,
            before: hasBefore ? address(max(1, min(number - 1, last)), isSecond ? nil : cursors.before) : nil,
            next: hasNext ? address(number + 1, cursors.next) : nil,
            last: hasNext || number > last ? address(last, hasCursors ? RowsCursor.end : nil) : nil)
        return Parts.pager(before: page?.offset ?? 0, size: wish.size, shown: rows.count, total: total, links)
    }

    /// Whether the order has places: some of its rows have one.
    private var hasCursors: Bool { cursors.next != nil || cursors.before != nil }

    // MARK: Table

    private func table(_ addresses: Addresses) -> Markup {
        """
        <div class="scroll tall" role="region" tabindex="0" aria-label="Rows"><table class="cards">
        <thead><tr><th class="check"><input type="checkbox" data-all aria-label="All rows of this page"></th>\
        <th>Object</th>\(columns.map { head($0, addresses) })</tr></thead>
        <tbody>\(rows.map { row($0, addresses) })</tbody></table></div>
        """
    }

    private func head(_ column: String, _ addresses: Addresses) -> Markup {
        let number: Markup = isNumber(column) ? " class=\"number\"" : ""
        guard sortable.contains(column) else { return "<th\(number)><bdi>\(column)</bdi></th>" }
        let (next, mark, order): (String?, String, String) =
            wish.sort == column
            ? ("-" + column, " ↑", "ascending")
            : wish.sort == "-" + column ? (nil, " ↓", "descending") : (column, "", "none")
        let address = addresses.rows(entity.name, wish.fields(sort: next, page: 1))
        return """
            <th\(number) aria-sort="\(order)"><a href="\(address)"><bdi>\(column)</bdi>\(mark)</a></th>
            """
    }

    private func row(_ row: ListedRow, _ addresses: Addresses) -> Markup {
        let own: Markup? = row.id.entityName == entity.name ? nil : "<bdi>\(row.id.entityName)</bdi> "
        let cells = zip(columns, row.cells).map { column, cell -> Markup in
            let kind: Markup = isNumber(column) ? " class=\"number\"" : ""
            // What tells rows apart leads to them.
            let text = content(cell, addresses)
            let isFirst = column == columns.first && cell.tells
            let content: Markup =
                isFirst ? "<a class=\"telling\" href=\"\(addresses.object(row.id))\">\(text)</a>" : text
            return "<td\(kind) data-label=\"\(column)\">\(content)</td>"
        }
        let rest = columns.count - Self.mostOnPhones
        let more: Markup? =
            rest > 0
            ? "<td class=\"more\"><a href=\"\(addresses.object(row.id))\">… \(Amounts.count(rest)) more</a></td>" : nil
        return """
            <tr><td class="check"><input type="checkbox" name="object" value="\(row.id.address)" \
            aria-label="Select \(row.id.address)"></td>\
            <th scope="row"><a class="object" href="\(addresses.object(row.id))">\(own)<code>p\(row.id.key)</code></a></th>\
            \(cells)\(more)</tr>
            """
    }

    /// As the style sheet has it: the others are left out there.
    private static let mostOnPhones = 7

    private func content(_ cell: ListedCell, _ addresses: Addresses) -> Markup {
        switch cell {
        case .value(let value): Parts.cell(value)
        case .object(let id, let label, let exists): Parts.object(id, label: label, exists: exists, addresses)
        }
    }

    private func isNumber(_ column: String) -> Bool {
        entity.attribute(named: column).map { Parts.isNumber($0.attribute) } ?? false
    }
}
