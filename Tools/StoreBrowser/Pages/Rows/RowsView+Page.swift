import ObjectGraph
import StoreInspection

/// The HTML page of a listing.
extension RowsView {
    func body(_ addresses: Addresses) -> Markup {
        """
        <h1><bdi>\(entity.name)</bdi>\(origin(addresses))</h1>
        \(filterForm(addresses))
        \(problem(addresses))
        \(trouble?.place == .filter ? unfiltered(addresses) : listing(addresses))
        """
    }

    private func listing(_ addresses: Addresses) -> Markup {
        """
        <div data-live="toolbar">\(toolbar(addresses))\(unreadable)</div>
        <form class="rows" method="get" action="\(addresses.plan())" data-live="rows">
        \(rows.isEmpty ? nothing(addresses) : table(addresses))
        <div class="selection" role="status"><span><b data-selected>Rows</b> selected</span>\
        <button class="button danger">Plan deleting them</button></div>
        </form>
        <div data-live="pager">\(rows.isEmpty && total == 0 ? nil : pager(addresses, name: "Pages, below"))</div>
        """
    }

    private var unreadable: Markup? { marks.map { "<p class=\"dim small\" role=\"note\">\($0)</p>" } }

    /// Unfiltered rows without links, shown below a filter that contains an error.
    private func unfiltered(_ addresses: Addresses) -> Markup {
        guard !rows.isEmpty else { return "" }
        return """
            <p class="dim small">All rows, not filtered:</p><div class="stale" inert>\(table(addresses))</div>
            """
    }

    private func problem(_ addresses: Addresses) -> Markup? {
        guard let trouble else { return nil }
        let more: Markup? =
            switch trouble.place {
            case .origin: nil
            case .filter: filterHint(addresses)
            case .sort:
                " <a href=\"\(addresses.rows(entity.name, parameters.fields(sort: nil, page: 1)))\">Without an order</a>"
            }
        let caret = trouble.position.map { Caret(parameters.filter ?? "", at: $0).markup }
        return """
            <div class="problem-line" id="filter-problem" role="alert">\(trouble.text)\(caret)\(more)</div>
            """
    }

    /// Offers to search for the text instead.
    private func filterHint(_ addresses: Addresses) -> Markup? {
        guard let text = parameters.filter, !text.contains("\"") else { return nil }
        var quoted = parameters
        quoted.filter = "\"\(text)\""
        let address = addresses.rows(entity.name, quoted.fields(sort: parameters.sort, page: 1))
        return " <a href=\"\(address)\">Search for this text instead</a>"
    }

    /// The object whose linked rows are listed, with a link back and a link that lifts the restriction.
    private func origin(_ addresses: Addresses) -> Markup? {
        func link(_ object: String) -> Markup {
            from.map { "<a href=\"\(addresses.object($0))\"><bdi>\(object)</bdi></a>" } ?? "<bdi>\(object)</bdi>"
        }
        let out: Markup = "<a class=\"out\" href=\"\(addresses.rows(entity.name))\">all rows</a>"
        if let referencing = parameters.referencing, let target = parameters.target {
            return "<small>whose <bdi>\(referencing)</bdi> references \(link(target))\(out)</small>"
        }
        guard let owner = parameters.owner, let through = parameters.through else { return nil }
        return "<small><bdi>\(through)</bdi> of \(link(owner))\(out)</small>"
    }

    private func nothing(_ addresses: Addresses) -> Markup {
        guard trouble == nil else { return "" }
        guard total == 0 else {
            return parameters.cursor == nil
                ? Parts.behindLast(parameters.page, of: lastPage)
                : "<p class=\"nothing\">There are no rows here any more.</p>"
        }
        guard parameters.isNarrowed else { return "<p class=\"nothing\">No rows.</p>" }
        return """
            <p class="nothing">No row matches. <a href="\(addresses.rows(entity.name, [("sort", parameters.sort)]))">All rows</a></p>
            """
    }

    // MARK: Filter

    private func hidden(_ fields: [(String, String?)]) -> [Markup] {
        fields.compactMap { name, value in
            value.map { "<input type=\"hidden\" name=\"\(name)\" value=\"\($0)\">" }
        }
    }

    private func filterForm(_ addresses: Addresses) -> Markup {
        let example = identifyingColumn ?? RowLabels.likelyAttribute(of: entity)?.name
        let predicate = example.map { "\($0) BEGINSWITH 'A'" } ?? "SELF != nil"
        // A sort order with an error is dropped.
        let kept = parameters.fields(sort: trouble?.place == .sort ? nil : parameters.sort, page: 1).filter {
            $0.0 != "where"
        }
        return """
            <form class="filter" method="get" action="\(addresses.rows(entity.name))" role="search" aria-label="Filter rows">\
            \(hidden(kept))
            <div class="combo"><input type="text" enterkeyhint="search" name="where" value="\(parameters.filter ?? "")" \
            placeholder="Words, or a predicate: \(predicate)" aria-label="Filter: words, or a predicate" spellcheck="false" \
            autocapitalize="off" autocomplete="off" data-completions="\(completions.value.json())"\
            \("aria-invalid=\"true\" aria-describedby=\"filter-problem\"", if: trouble?.place == .filter)></div>
            <button class="button">Filter</button>\(clearing(addresses))</form>
            \(completions.help)
            """
    }

    private func clearing(_ addresses: Addresses) -> Markup? {
        guard parameters.filter != nil else { return nil }
        var all = parameters
        all.filter = nil
        let address = addresses.rows(entity.name, all.fields(sort: parameters.sort, page: 1))
        return "<a class=\"button quiet\" href=\"\(address)\">Clear</a>"
    }

    // MARK: Toolbar

    private func toolbar(_ addresses: Addresses) -> Markup {
        guard !rows.isEmpty else { return "" }
        let all = addresses.plan([("entity", entity.name)] + parameters.choosing)
        let words = parameters.isNarrowed ? "Plan deleting all \(Amounts.count(total))" : "Plan deleting every row"
        return """
            <div class="toolbar">\(pager(addresses))<div class="tools">\(columnChoice(addresses))\(downloads(addresses))\
            <a class="button small quiet" href="\(all)">\(words)</a></div></div>\(choices(addresses))
            """
    }

    /// Links to files with all rows of the listing, not only this page.
    private func downloads(_ addresses: Addresses) -> [Markup] {
        DownloadFormat.allCases.map { format in
            let address = addresses.download(
                entity.name, format, parameters.choosing + [("sort", parameters.sort)] + parameters.columnFields)
            let words = "Download all \(Amounts.count(total)) as \(format.name)"
            return "<a class=\"button small\" href=\"\(address)\" download title=\"\(words)\">\(format.name)</a>"
        }
    }

    private func columnChoice(_ addresses: Addresses) -> Markup {
        let kept = parameters.choosing + [("sort", parameters.sort)]
        let boxes: [Markup] = knownColumns.map { name in
            """
            <label><input type="checkbox" name="column" value="\(name)"\("checked", if: columns.contains(name))> \
            <bdi>\(name)</bdi></label>
            """
        }
        let sizes = (RowsParameters.sizes + [parameters.size]).sorted().reduce(into: [Int]()) { sizes, size in
            if sizes.last != size { sizes.append(size) }
        }
        let options: [Markup] = sizes.map { "<option\("selected", if: $0 == parameters.size)>\($0)</option>" }
        return """
            <details class="menu"><summary class="button small">View</summary>\
            <form method="get" action="\(addresses.rows(entity.name))">\(hidden(kept))\
            <fieldset><legend>Columns</legend><div class="boxes">\(boxes)</div></fieldset>\
            <label class="size">Rows on a page <select name="size">\(options)</select></label>\
            <div class="buttons"><button class="button small primary">Show</button>\
            <a class="button small quiet" href="\(addresses.rows(entity.name, kept))">As usual</a></div></form></details>
            """
    }

    /// A sort menu for phones, where the table has no header to press.
    private func choices(_ addresses: Addresses) -> Markup {
        let items: [Markup] = columns.filter(sortable.contains).flatMap { column in
            [(column, "↑", "ascending"), ("-" + column, "↓", "descending")].map { sort, mark, order -> Markup in
                let address = addresses.rows(entity.name, parameters.fields(sort: sort, page: 1))
                return """
                    <a href="\(address)"\("aria-current=\"true\"", if: parameters.sort == sort) aria-label="\(column), \(order)">\
                    <bdi>\(column)</bdi> \(mark)</a>
                    """
            }
        }
        let sorted: Markup = parameters.sort.map { "Sorted by <bdi>\($0)</bdi>" } ?? "Sort"
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

    private var lastPage: Int { Parts.pageCount(total, parameters.size) }

    private func pager(_ addresses: Addresses, name: String = "Pages") -> Markup {
        let last = lastPage
        func address(_ page: Int, _ cursor: RowsCursor?) -> String {
            addresses.rows(entity.name, parameters.fields(sort: parameters.sort, page: page, cursor: cursor))
        }
        let hasBefore = page?.hasBefore ?? false
        // The second page links back to the first page without a cursor.
        let isSecond = page?.offset == parameters.size
        let links = Parts.PageLinks(
            first: hasBefore ? address(1, nil) : nil,
            before: hasBefore ? address(max(1, min(number - 1, last)), isSecond ? nil : cursors.before) : nil,
            next: hasNext ? address(number + 1, cursors.next) : nil,
            last: hasNext || number > last ? address(last, hasCursors ? RowsCursor.end : nil) : nil)
        return Parts.pager(
            before: page?.offset ?? 0, size: parameters.size, shown: rows.count, total: total, name: name, links)
    }

    /// Whether the sort order supports cursors: at least one end of the page has one.
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
            parameters.sort == column
            ? ("-" + column, " ↑", "ascending")
            : parameters.sort == "-" + column ? (nil, " ↓", "descending") : (column, "", "none")
        let address = addresses.rows(entity.name, parameters.fields(sort: next, page: 1))
        return """
            <th\(number) aria-sort="\(order)"><a href="\(address)"><bdi>\(column)</bdi>\(mark)</a></th>
            """
    }

    private func row(_ row: ListedRow, _ addresses: Addresses) -> Markup {
        let own: Markup? = row.id.entityName == entity.name ? nil : "<bdi>\(row.id.entityName)</bdi> "
        let label: Markup? = row.label.map { "<bdi>\($0)</bdi> " }
        let cells = zip(columns, row.cells).map { column, cell -> Markup in
            let kind: Markup = isNumber(column) ? " class=\"number\"" : ""
            // The identifying column links to the row.
            let text = content(cell, addresses)
            let isIdentifying = column == columns.first && column == identifyingColumn && cell.isPressable
            let content: Markup =
                isIdentifying ? "<a class=\"telling\" href=\"\(addresses.object(row.id))\">\(text)</a>" : text
            return "<td\(kind) data-label=\"\(column)\">\(content)</td>"
        }
        let rest = columns.count - Self.mostOnPhones
        let more: Markup? =
            rest > 0
            ? "<td class=\"more\"><a href=\"\(addresses.object(row.id))\">… \(Amounts.count(rest)) more</a></td>" : nil
        return """
            <tr><td class="check"><input type="checkbox" name="object" value="\(row.id.address)" \
            aria-label="Select \(row.id.address)"></td>\
            <th scope="row"><a class="object" href="\(addresses.object(row.id))">\(label)\(own)<code>p\(row.id.key)</code></a></th>\
            \(cells)\(more)</tr>
            """
    }

    /// Must match the style sheet, which hides further columns.
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
