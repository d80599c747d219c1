import ObjectGraph
import StoreInspection

/// The common frame of all pages: the file's name, the navigation, and the current operation.
struct PageFrame: Sendable {
    let addresses: Addresses
    let fileName: String
    let mayWrite: Bool
    let model: Model
    /// The last known row counts of the entities, without subentities. Only the entities page waits for current counts.
    let counts: RowCounts.Latest?
    let hasHistory: Bool
    var place: Place?
    var status: OperationStatus?
    var notes: [String]

    func page(_ view: any View, twin: String) -> Markup {
        page(
            title: view.title,
            """
            \(operationBar(view.place))\(notes.map { "<p class=\"note\">\($0)</p>" as Markup })
            \(view.body(addresses))
            <footer><a href="\(twin)">This view as JSON</a><span>Times are in UTC</span></footer>
            """, twin: twin)
    }

    /// - Parameter way: a link to follow next, with its name.
    func page(_ problem: Problem, way: (name: String, address: String)?) -> Markup {
        page(title: problem.heading, "\(operationBar(nil))\(Self.words(problem, way))", twin: nil)
    }

    /// A page that reveals nothing about the file.
    static func bare(_ problem: Problem) -> Markup {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>\(problem.heading)</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark"><style>\(Markup(trusted: bareStyle))</style></head>
        <body><main>\(words(problem, nil))</main></body></html>
        """
    }

    /// Requests without a token cannot load the style sheet, so the few rules are inline.
    private static let bareStyle = """
        :root { color-scheme: light dark; --paper: #f6f6fa; --card: #fff; --ink: #1c1e2b; --line: #e2e3ed; }
        @media (prefers-color-scheme: dark) {
        :root { --paper: #101118; --card: #181a24; --ink: #e6e7f0; --line: #2a2d3c; } }
        body { margin: 0; padding: 12vh 16px; background: var(--paper); color: var(--ink);
        font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
        .problem { max-width: 460px; margin: 0 auto; padding: 28px 32px; background: var(--card);
        border: 1px solid var(--line); border-radius: 14px; }
        h1 { font-size: 22px; line-height: 1.25; margin: 0 0 10px; } p { margin: 0; }
        """

    private static func words(_ problem: Problem, _ way: (name: String, address: String)?) -> Markup {
        let button: Markup? = way.map {
            "<p class=\"buttons\"><a class=\"button primary\" href=\"\($0.address)\">\($0.name)</a></p>"
        }
        return """
            <section class="problem" role="alert"><h1>\(problem.heading)</h1><p>\(problem.text)</p>\(button)</section>
            """
    }

    private func page(title: String, _ content: Markup, twin: String?) -> Markup {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(title == fileName ? title : "\(title) · \(fileName)")</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="stylesheet" href="\(addresses.file("browse.css"))">
        <link rel="icon" href="\(addresses.file("icon.svg"))">
        \(twin.map { "<link rel=\"alternate\" type=\"application/json\" href=\"\($0)\">" as Markup })
        <script src="\(addresses.file("browse.js"))" defer></script>
        </head>
        <body>
        <a class="skip" href="#content">Skip to content</a>
        \(rail)
        <main id="content">
        \(content)
        </main>
        </body>
        </html>
        """
    }

    // MARK: Navigation

    private var rail: Markup {
        """
        <header class="rail">
        <a class="brand" href="\(addresses.entities)"><img src="\(addresses.file("icon.svg"))" alt="" width="28" height="28">
        <span><b><bdi>\(fileName)</bdi></b>\(mode)</span></a>
        <form class="find" method="get" action="\(addresses.search())" role="search" aria-label="Search all entities">\
        <input type="search" name="text" placeholder="Search all entities" aria-label="Search all entities" \
        spellcheck="false" autocapitalize="off" autocomplete="off"></form>
        <nav aria-label="Views"><ul class="places">
        \(item("Entities", addresses.entities, .entities, ofRows))\(item("Model", addresses.model, .model))
        \(hasHistory ? item("History", addresses.history, .history) : nil)
        \(item("Deletes", addresses.kept, .kept))\(item("SQL", addresses.sql(), .sql))
        </ul></nav>
        <nav class="entities" aria-label="Entities" data-follows="\(Addresses.twin(addresses.entities))"\(counting)><h2>Entities</h2><ul>\(entityItems)</ul></nav>
        </header>
        """
    }

    private var mode: Markup {
        mayWrite ? "<i class=\"mode writes\">read and write</i>" : "<i class=\"mode\">read only</i>"
    }

    /// - Parameter within: an attribute for pages below this view.
    private func item(_ name: String, _ address: String, _ own: Place, _ within: Markup? = nil) -> Markup {
        """
        <li><a href="\(address)"\("aria-current=\"page\"", if: place == own)\(within)>\(name)</a></li>
        """
    }

    /// On small screens, pages about rows highlight the entities tab.
    private var ofRows: Markup? {
        if case .rows? = place { " aria-current=\"true\" data-within" } else { nil }
    }

    /// The address from which the script loads counts that the page does not have.
    private var counting: Markup? {
        if counts?.isCurrent == true { return nil }
        return " data-counts=\"\(Addresses.twin(addresses.entities))\""
    }

    private var entityItems: [Markup] {
        ModelOutline.sorted(model).map { entity in
            let count = count(entity)
            return """
                <li class="depth-\(min(4, Self.depth(entity, in: model)))\(count == 0 ? " empty" : "")">\
                <a href="\(addresses.rows(entity.name))"\("aria-current=\"page\"", if: place == .rows(entity.name))>\
                <bdi>\(entity.name)</bdi> <span class="count" data-entity="\(entity.name)">\
                \(count.map { Amounts.count($0) } ?? "")</span></a></li>
                """
        }
    }

    private func count(_ entity: Entity) -> Int? {
        guard let values = counts?.values else { return nil }
        return entity.familyIndexes.reduce(0) { $0 + (values.indices.contains($1) ? values[$1] : 0) }
    }

    /// The number of superentities of an entity.
    static func depth(_ entity: Entity, in model: Model) -> Int {
        var depth = 0
        var above = entity.superentityIndex
        while let index = above {
            depth += 1
            above = model[index].superentityIndex
        }
        return depth
    }

    // MARK: Work

    /// A line about the current operation, on all pages but the operation's own.
    private func operationBar(_ own: Place?) -> Markup {
        guard let status, own != .operation, status.isShownOnAllPages else { return "" }
        return """
            <section class="work-bar \(status.phase.rawValue)" aria-label="Work" data-work="\(status.phase.rawValue)" \
            data-address="\(addresses.operation)">
            <p><b data-title>\(status.title)</b> <span class="dim" data-text>\(status.text)</span></p>
            \(status.isUnderWay ? "<progress max=\"1\" value=\"\(String(status.share))\" aria-label=\"Done so far\"></progress>" : "")
            <div class="buttons">\(operationButtons(status))<a class="button small" href="\(addresses.operation)">Details</a></div></section>
            """
    }

    private func operationButtons(_ status: OperationStatus) -> [Markup] {
        guard mayWrite else { return [] }
        let own = [("work", status.id.uuidString)]
        var buttons: [Markup] = []
        if status.mayUndo, !status.isRestore {
            buttons.append(Parts.action("Undo", "undo", addresses, fields: own, kind: "small primary"))
        }
        if status.mayResume {
            buttons.append(Parts.action("Resume", "resume", addresses, fields: own, kind: "small danger"))
        }
        if !status.isUnderWay, !status.isUnfinished {
            buttons.append(
                Parts.action("Done", "dismiss", addresses, fields: own + [("stay", "1")], kind: "small quiet"))
        }
        return buttons
    }
}
