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
    private let sortable: Set<String>
    /// Why there are no rows: the filter, as typed, cannot be used.
    private let problem: String?

    private struct Row: Sendable {
        let id: ObjectID
        let cells: [Cell]
    }

    private enum Cell: Sendable {
        case value(InspectedValue)
        case object(ObjectID, label: String?, exists: Bool)
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
        guard problem == nil else {
            (rows, exact, total, cursors) = ([], [], 0, (nil, nil))
            return
        }
        total = try reading.count(query)
        let page = try Self.page(wish, query, total: total, store, reading)
        cursors = (
            page.last.flatMap { RowsCursor(.after, $0, query.sort) },
            page.first.flatMap { RowsCursor(.before, $0, query.sort) }
        )
        exact = forPrograms ? try listing.rows(page, reading) : []
        rows = forPrograms ? [] : try Self.rows(page, columns, reading, model)
    }

    /// From the cursor where the address has one, else by counting through.
    private static func page(
        _ wish: RowsWish, _ query: Query, total: Int, _ store: SQLiteStore, _ reading: StoreReading
    ) throws -> [Snapshot] {
        let entity = store.model[query.entityIndex]
        func rows(beside cursor: RowsCursor) -> Query? {
            cursor.query(query) { store.objectID(entity: entity, key: $0) }
        }
        if let cursor = wish.cursor {
            guard var found = rows(beside: cursor) else { throw RowsCursor.unreadable }
            // The last page has what the ones before it leave.
            let isLast = cursor == .end && total > 0
            found.limit = isLast ? (total - 1) % wish.size + 1 : wish.size
            let rows = try reading.fetch(found)
            return cursor.isForward ? rows : rows.reversed()
        }
        let offset = (wish.page - 1) * wish.size
        let behind = total - offset - wish.size
        // Counted from the nearer end.
        if behind < offset, offset < total, var found = rows(beside: .end) {
            found.limit = wish.size + min(0, behind)
            found.offset = max(0, behind)
            return try reading.fetch(found).reversed()
        }
        var found = query
        found.limit = wish.size
        found.offset = offset
        return try reading.fetch(found)
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
            // For the rows that follow: the field `after` of the next request.
            InspectedField("after", .optional(wish.page < lastPage ? cursors.next?.field.1 : nil)),
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
        \(rows.isEmpty ? nothing : table(addresses))
        <div class="selection" role="status"><span><b data-selected>Rows</b> selected</span>\
        <button class="button danger">See what deleting takes</button></div>
        </form>
        \(rows.isEmpty ? nil : pager(addresses))
        """
    }

    private func origin(_ addresses: Addresses) -> Markup? {
        if let leads = wish.leads, let target = wish.target {
            return "<small>whose <bdi>\(leads)</bdi> leads to <bdi>\(target)</bdi></small>"
        }
        guard let owner = wish.owner, let through = wish.through else { return nil }
        return "<small><bdi>\(through)</bdi> of <bdi>\(owner)</bdi></small>"
    }

    private var nothing: Markup {
        problem == nil ? "<p class=\"nothing\">\(wish.isNarrowed ? "No row matches." : "No rows.")</p>" : ""
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
            <button class="button">Filter</button></form>
            """
    }

    private func toolbar(_ addresses: Addresses) -> Markup {
        guard !rows.isEmpty else { return "" }
        let all = addresses.plan([("entity", entity.name)] + wish.choosing)
        let words = wish.isNarrowed ? "Plan deleting all \(Amounts.count(total))" : "Plan deleting every row"
        return """
            <div class="toolbar">\(pager(addresses))<a class="button quiet" href="\(all)">\(words)</a></div>
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
            before: isFirst ? nil : address(wish.page - 1, wish.page > 2 ? cursors.before : nil),
            next: wish.page < last ? address(wish.page + 1, cursors.next) : nil,
            last: wish.page < last ? address(last, cursors.next == nil ? nil : RowsCursor.end) : nil)
        return Parts.pager(page: wish.page, size: wish.size, shown: rows.count, total: total, links)
    }

    // MARK: Table

    private func table(_ addresses: Addresses) -> Markup {
        """
        <div class="scroll"><table class="cards">
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
            return "<td\(kind) data-label=\"\(column)\">\(content(cell, addresses))</td>"
        }
        return """
            <tr><td class="check"><input type="checkbox" name="object" value="\(row.id.address)" \
            aria-label="Select \(row.id.address)"></td>\
            <th scope="row"><a class="object" href="\(addresses.object(row.id))">\(own)<code>p\(row.id.key)</code></a></th>\
            \(cells)</tr>
            """
    }

    private func content(_ cell: Cell, _ addresses: Addresses) -> Markup {
        switch cell {
        case .value(let value): Parts.value(value)
        case .object(let id, let label, let exists): Parts.object(id, label: label, exists: exists, addresses)
        }
    }

    private func isNumber(_ column: String) -> Bool {
        entity.attribute(named: column).map { Parts.isNumber($0.attribute) } ?? false
    }
}
