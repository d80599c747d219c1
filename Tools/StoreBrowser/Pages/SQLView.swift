import ObjectGraph
import SQLiteStore
import StoreInspection

/// An editor for read-only SQL, with the results of the statement.
struct SQLView: View {
    let title = "SQL"
    let place = Place.sql
    private let statement: String?
    private let columns: [String]
    private let rows: [[InspectedValue]]
    private let hasMore: Bool
    private let trouble: Trouble?
    private let tables: [FileTable]

    private struct Trouble: Sendable {
        let text: String
        /// The position in the statement, in UTF-8 bytes.
        let offset: Int?
    }

    private static let mostRows = 500

    /// - Throws: errors of reading. Errors in the statement are shown on the page.
    init(_ statement: String?, _ store: SQLiteStore) throws {
        self.statement = statement
        tables = try store.tables()
        var columns: [String] = []
        var rows: [[InspectedValue]] = []
        var hasMore = false
        var trouble: Trouble?
        do {
            if let statement {
                try SQLRun(store).forEachRow(of: statement) {
                    columns = $0
                } row: { cells in
                    guard rows.count < Self.mostRows else {
                        hasMore = true
                        return false
                    }
                    rows.append(cells.map { Parts.cut(SQLRun.readable($0)) })
                    return true
                }
            }
        } catch let error as SQLTextError {
            trouble = Trouble(text: error.message.capitalizedSentence, offset: error.offset)
        } catch let error as ReadOnlySQLError {
            trouble = Trouble(text: error.description, offset: nil)
        } catch let error as SQLiteError where !error.isBusy && !error.isNotADatabase && !error.isInterrupt {
            trouble = Trouble(text: error.message.capitalizedSentence, offset: nil)
        }
        (self.columns, self.rows, self.hasMore, self.trouble) = (columns, rows, hasMore, trouble)
    }

    var status: WebResponse.Status { trouble == nil ? .ok : .badRequest }

    var value: InspectedValue {
        var fields = [
            InspectedField("statement", .optional(statement)), InspectedField("columns", .texts(columns)),
            InspectedField("rows", .list(rows.map(InspectedValue.list))), InspectedField("more", .boolean(hasMore)),
            InspectedField(
                "tables",
                .list(
                    tables.map {
                        .fields([InspectedField("name", .text($0.name)), InspectedField("columns", .texts($0.columns))])
                    })),
        ]
        if let trouble { fields.append(InspectedField("problem", .text(trouble.text))) }
        return .fields(fields)
    }

    // MARK: HTML

    func body(_ addresses: Addresses) -> Markup {
        """
        <h1>SQL<small>read only</small></h1>
        <div class="sql">
        <div>
        <form class="statement" method="get" action="\(addresses.sql())">
        <label for="statement">Statement</label>
        <textarea id="statement" name="statement" rows="6" spellcheck="false" autocapitalize="off" autocomplete="off" \
        data-submits\("aria-invalid=\"true\" aria-describedby=\"statement-problem\"", if: trouble != nil)>\n\(statement ?? "")</textarea>
        <div class="buttons"><button class="button primary">Run</button>\(download(addresses))\
        <span class="dim small">One statement that reads; at most \(Int(SQLRun.mostSeconds)) seconds. Dates are seconds since \
        2001-01-01 UTC.</span></div>
        </form>
        \(problem)\(result)
        </div>
        \(schema(addresses))
        </div>
        """
    }

    private func download(_ addresses: Addresses) -> Markup? {
        guard let statement, trouble == nil, !columns.isEmpty else { return nil }
        return "<a class=\"button\" href=\"\(addresses.sqlResult(statement))\" download>Download CSV</a>"
    }

    private var problem: Markup? {
        guard let trouble else { return nil }
        let caret = trouble.offset.flatMap { Caret(statement ?? "", utf8Offset: $0) }
        return """
            <div class="problem-line" id="statement-problem" role="alert"><p>\(trouble.text)</p>\(caret?.markup)</div>
            """
    }

    private var result: Markup? {
        guard trouble == nil, statement != nil else { return nil }
        guard !rows.isEmpty else { return "<p class=\"nothing\">No rows.</p>" }
        let heads: [Markup] = columns.map { "<th scope=\"col\"><bdi>\($0)</bdi></th>" }
        let body: [Markup] = rows.map { row in
            let cells: [Markup] = row.map { value in
                let kind: Markup =
                    switch value {
                    case .integer, .real: " class=\"number\""
                    default: ""
                    }
                return "<td\(kind)>\(Parts.cell(value))</td>"
            }
            return "<tr>\(cells)</tr>"
        }
        let note =
            hasMore
            ? "The first \(Amounts.count(rows.count, "row")); the download has all of them."
            : Amounts.count(rows.count, "row")
        return """
            <p class="dim">\(note)</p>
            <div class="scroll tall plain" role="region" tabindex="0" aria-label="Result"><table><thead><tr>\(heads)</tr></thead>\
            <tbody>\(body)</tbody></table></div>
            """
    }

    private func schema(_ addresses: Addresses) -> Markup {
        let items: [Markup] = tables.map { table in
            let columns: [Markup] = table.columns.map { "<li><code>\($0)</code></li>" }
            return "<details><summary><code>\(table.name)</code></summary><ul>\(columns)</ul></details>"
        }
        return "<section class=\"schema\" aria-label=\"Tables\"><h2>Tables</h2>\(items)</section>"
    }
}

extension String {
    /// Makes a sentence of an SQLite message, which starts in lower case and has no full stop.
    fileprivate var capitalizedSentence: String {
        let text = prefix(1).uppercased() + dropFirst()
        return text.last == "." ? text : text + "."
    }
}
