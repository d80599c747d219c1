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
    private let rows: [Row]
    /// For programs only.
    private let exact: [[InspectedField]]
    private let total: Int
    /// Where the next page begins, and the one before ends; `nil` where rows must be counted through.
    private let cursors: (next: RowsCursor?, before: RowsCursor?)
    /// Whether rows follow.
    private let hasNext: Bool
    private let sortable: Set<String>
    /// The object whose links are followed to these rows.
    private let from: ObjectID?
    /// Why there are no rows: the filter, as typed, cannot be used.
    private let problem: String?

    private struct Row: Sendable {
        let id: ObjectID
        let cells: [Cell]
    }

    private enum Cell: Sendable {
        case value(InspectedValue)
        case object(ObjectID, label: String?, exists: Bool)

        /// Whether there is something to press that is no link of its own.
        var tells: Bool {
            switch self {
            case .value(.none), .value(.text("")), .object: false
            case .value: true
            }
        }
    }

    var title: String { entity.name }

    /// - Throws: `InspectionError`, and what reading throws; what is wrong with the filter is told on the page.
    init(_ wish: RowsWish, _ store: SQLiteStore, _ reading: StoreReading, forPrograms: Bool) throws {
        self.wish = wish
        model = store.model
        let entity = try model.inspectedEntity(wish.entity)
        self.entity = entity
        place = .rows(entity.name)
        var query = Query(entityIndex: entity.index)
        var problem: String?
        do {
            query = try wish.query(store, reading)
            query.sort = try wish.sort.map { try PropertyPath.sortKeys($0, on: entity, in: store.model) } ?? []
        } catch  where error is UnreadablePredicate || error is FormatTranslationError || error is InspectionError {
            problem = Problem(error).text
        }
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
        self.problem = problem
        from = (wish.target ?? wish.owner).flatMap { try? RowsWish.id($0, store, reading) }
        guard problem == nil else {
            (rows, exact, total, cursors, hasNext) = ([], [], 0, (nil, nil), false)
            return
        }
        total = try reading.count(query)
        let (page, hasNext) = try Self.page(wish, query, total: total, store, reading)
        self.hasNext = hasNext
        /// Of a row that is found at the place it says.
        func cursor(_ direction: RowsCursor.Direction, _ row: Snapshot?) throws -> RowsCursor? {
            guard let row, let cursor = RowsCursor(direction, row, query.sort) else { return nil }
            let own = cursor.ownRow(query) { store.objectID(entity: entity, key: $0) }
            return try own.map { try reading.count($0) == 1 } ?? true ? cursor : nil
        }
        cursors = (try cursor(.after, page.last), try cursor(.before, page.first))
        exact = forPrograms ? try listing.rows(page, reading) : []
        rows = forPrograms ? [] : try Self.rows(page, columns, reading, model)
    }

    /// From the cursor where the address has one, else by counting through. With whether rows follow.
    private static func page(
        _ wish: RowsWish, _ query: Query, total: Int, _ store: SQLiteStore, _ reading: StoreReading
    ) throws -> (rows: [Snapshot], hasNext: Bool) {
        let entity = store.model[query.entityIndex]
        func rows(beside cursor: RowsCursor) -> Query? {
            cursor.query(query) { store.objectID(entity: entity, key: $0) }
        }
        if let cursor = wish.cursor {
            guard var found = rows(beside: cursor) else { throw RowsCursor.unreadable }
            // The last page has what the ones before it leave.
            let isLast = cursor == .end && total > 0
            // One more, to see whether rows follow: which page this is, an address may leave out.
            found.limit = isLast ? (total - 1) % wish.size + 1 : cursor.isForward ? wish.size + 1 : wish.size
            let rows = try reading.fetch(found)
            guard cursor.isForward else { return (rows.reversed(), cursor != .end) }
            return (Array(rows.prefix(wish.size)), rows.count > wish.size)
        }
        let offset = (wish.page - 1) * wish.size
        let behind = total - offset - wish.size
        // Counted from the nearer end.
        if behind < offset, offset < total, var found = rows(beside: .end) {
            found.limit = wish.size + min(0, behind)
            found.offset = max(0, behind)
            return (try reading.fetch(found).reversed(), behind > 0)
        }
        var found = query
        found.limit = wish.size
        found.offset = offset
        return (try reading.fetch(found), behind > 0)
    }

    private static func rows(
        _ page: [Snapshot], _ columns: [String], _ reading: StoreReading, _ model: Model
    ) throws -> [Row] {
        let rendering = RowRendering(model, .people)
        let references = page.flatMap { row in
            row.values.compactMap { value -> ObjectID? in
                if case .reference(let id) = value { id } else { nil }
            }
        }
        let found = try Parts.rows(references, reading)
        return page.map { row in
            let cells = columns.map { name -> Cell in
                if let slot = model.entity(named: row.id.entityName)?.relationship(named: name)?.slot,
                    row.values.indices.contains(slot), case .reference(let id) = row.values[slot]
                {
                    let target = found[id]
                    return .object(
                        target?.id ?? id, label: target.flatMap { RowLabel.text(of: $0, in: model) },
                        exists: target != nil)
                }
                return .value(Parts.cut(rendering.value(name, of: row) ?? .none))
            }
            return Row(id: row.id, cells: cells)
        }
    }

    // MARK: For programs

    var value: InspectedValue {
        var fields = [
            InspectedField("entity", .text(entity.name)), InspectedField("filter", .optional(wish.filter)),
            InspectedField("sort", .optional(wish.sort)), InspectedField("page", .count(wish.page)),
            InspectedField("size", .count(wish.size)), InspectedField("total", .count(total)),
            // Rows follow where there is one: the field `page` of the next request, and its field `after` where that is
            // not nil.
            InspectedField("nextPage", hasNext ? .count(wish.page + 1) : .none),
            InspectedField("after", .optional(hasNext ? cursors.next?.field.1 : nil)),
            InspectedField("rows", .list(exact.map(InspectedValue.fields))),
        ]
        if let problem { fields.append(InspectedField("problem", .text(problem))) }
        return .fields(fields)
    }

    var status: WebResponse.Status { problem == nil ? .ok : .badRequest }

    // MARK: For people

    func body(_ addresses: Addresses) -> Markup {
        """
        <h1><bdi>\(entity.name)</bdi>\(origin(addresses))</h1>
        \(filter(addresses))
        \(problem.map { "<p class=\"problem-line\" role=\"alert\">\($0)</p>" as Markup })
        <form class="rows" method="get" action="\(addresses.plan())">
        \(toolbar(addresses))
        \(rows.isEmpty ? nothing(addresses) : table(addresses))
        <div class="selection" role="status"><span><b data-selected>Rows</b> selected</span>\
        <button class="button danger">See what deleting takes</button></div>
        </form>
        \(rows.isEmpty && total == 0 ? nil : pager(addresses))
        """
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
        guard problem == nil else { return "" }
        guard total == 0 else { return Parts.behindLast(wish.page, of: lastPage) }
        guard wish.isNarrowed else { return "<p class=\"nothing\">No rows.</p>" }
        return """
            <p class="nothing">No row matches. <a href="\(addresses.rows(entity.name, [("sort", wish.sort)]))">All rows</a></p>
            """
    }

    private func filter(_ addresses: Addresses) -> Markup {
        let example =
            (RowLabel.attributes(of: entity).first?.name)
            .map { "\($0) BEGINSWITH 'A'" } ?? "SELF != nil"
        let hidden: [Markup] = wish.choosing.filter { $0.0 != "where" && $0.1 != nil }.map {
            "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1 ?? "")\">"
        }
        return """
            <form class="filter" method="get" action="\(addresses.rows(entity.name))" role="search">\(hidden)
            \(wish.sort.map { "<input type=\"hidden\" name=\"sort\" value=\"\($0)\">" as Markup })
            <input type="search" name="where" value="\(wish.filter ?? "")" placeholder="Filter: \(example)" \
            aria-label="Filter, as a predicate" spellcheck="false" autocapitalize="off" autocomplete="off"\
            \("aria-invalid=\"true\"", if: problem != nil)>
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
        guard !rows.isEmpty else { return "" }
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
        let isFirst = wish.page == 1
        let links = Parts.PageLinks(
            first: isFirst ? nil : address(1, nil),
            before: isFirst ? nil : address(min(wish.page - 1, last), wish.page > 2 ? cursors.before : nil),
            next: wish.page < last ? address(wish.page + 1, cursors.next) : nil,
            last: wish.page != last ? address(last, cursors.next == nil ? nil : RowsCursor.end) : nil)
        return Parts.pager(page: wish.page, size: wish.size, shown: rows.count, total: total, links)
    }

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

    private func row(_ row: Row, _ addresses: Addresses) -> Markup {
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

    private func content(_ cell: Cell, _ addresses: Addresses) -> Markup {
        switch cell {
        case .value(let value): Parts.cell(value)
        case .object(let id, let label, let exists): Parts.object(id, label: label, exists: exists, addresses)
        }
    }

    private func isNumber(_ column: String) -> Bool {
        entity.attribute(named: column).map { Parts.isNumber($0.attribute) } ?? false
    }
}
