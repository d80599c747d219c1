import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// A preview of a delete: a diagram, example rows, blockers and cost.
struct PlanView: View {
    let title = "Delete plan"
    let place: Place
    /// The plan that can be confirmed; `nil` if there is nothing to confirm.
    let shown: ShownPlan?
    private let plan: DeletePlan
    private let cost: DeleteCost?
    private let graph: PlanGraph
    private let gone: [String]
    private let mayWrite: Bool
    private let isAsked: Bool
    /// The page's parameters.
    private let parameters: PlanParameters
    private let goes: [Examples]
    private let stays: [(link: NullifiedLink, examples: Examples)]
    private let labels: NamedRows

    /// Example rows of one entity.
    private struct Examples: Sendable {
        let entity: String
        let count: Int
        let ids: [ObjectID]
    }

    private static let exampleCount = 5

    /// - Throws: `InspectionError`, `UnreadablePredicate`, `FormatTranslationError`, and errors of planning.
    init(_ parameters: PlanParameters, _ store: SQLiteStore, mayWrite: Bool, author: String) throws {
        let asked = try parameters.request(store)
        var request = asked?.request ?? DeleteRequest(.rows(RowSet()))
        request.author = author
        let plan = try store.plan(request)
        self.plan = plan
        self.mayWrite = mayWrite
        self.parameters = parameters
        isAsked = asked != nil
        gone = asked?.gone ?? []
        graph = PlanGraph(
            plan, store.model, try store.reading { try CutEnds(plan, $0.markingUnreadable(), in: store.model) })
        cost = plan.isRefused || plan.isEmpty ? nil : try store.cost(of: plan)
        let entity = parameters.rows.flatMap { try? store.model.inspectedEntity($0.entity).name }
        place = (entity ?? plan.reaches.first?.entity).map(Place.rows) ?? .entities
        goes = plan.deleted.keysBySpace.map { space, keys in
            Self.examples(space, keys)
        }.sorted { ($0.count, $1.entity) > ($1.count, $0.entity) }
        stays = plan.cleared.map { ($0, Self.examples($0.space, $0.keys)) }
        let named =
            goes.flatMap(\.ids) + stays.flatMap(\.examples.ids) + plan.refusals.flatMap(\.examples)
            + (cost?.dangling.flatMap(\.examples) ?? [])
        labels = try NamedRows(named, store)
        shown =
            plan.isRefused || plan.isEmpty
            ? nil
            : ShownPlan(
                id: UUID(), request: request, plan: plan, subject: Self.subject(plan), parameters: parameters.fields)
    }

    private static func examples(_ space: IDSpace, _ keys: KeySet) -> Examples {
        Examples(
            entity: space.entityName, count: keys.count,
            ids: keys.prefix(exampleCount).keys.map { ObjectID(space: space, key: $0) })
    }

    /// `3 Category rows and 1,204 others`.
    private static func subject(_ plan: DeletePlan) -> String {
        let asked = plan.reaches.filter { $0.via == nil }.prefix(3).map { (entity: $0.entity, count: $0.count) }
        return Amounts.rows(asked, others: plan.deleted.count - plan.roots.count)
    }

    /// Includes the form to send to carry out the delete, if writing is allowed.
    var value: InspectedValue {
        let outline = PlanOutline.value(plan, cost: cost)
        guard let fields = outline.fieldsValue else { return outline }
        let confirming = mayWrite ? shown.map { [InspectedField("plan", .text($0.id.uuidString))] } ?? [] : []
        let asked = [InspectedField("selected", .boolean(isAsked)), InspectedField("gone", .texts(gone))]
        return .fields(confirming + asked + fields)
    }

    // MARK: HTML

    func body(_ addresses: Addresses) -> Markup {
        guard isAsked else {
            return """
                <h1>\(title)</h1><p class="nothing">Nothing is selected. Choose rows of an \
                <a href="\(addresses.entities)">entity</a> first.</p>
                """
        }
        let missing: Markup? =
            gone.isEmpty
            ? nil : "<p class=\"note\">Deleted already: <bdi>\(gone.prefix(10).joined(separator: ", "))</bdi></p>"
        guard !plan.roots.isEmpty || plan.isRefused else {
            return "<h1>\(title)</h1>\(missing)<p class=\"nothing\">Nothing matches; nothing would be deleted.</p>"
        }
        let drawing = PlanDrawing(graph)
        return """
            <h1>\(title)</h1>\(missing)\(verdict)
            <div class="shape"><div class="scroll picture">\(drawing.svg(addresses))</div>\(drawing.tree(addresses))</div>
            \(confirmation(addresses))
            <div class="columns">\(obstacles(addresses))\(deletedSection(addresses))\(survivorSection(addresses))\(danglingSection(addresses))</div>
            \(statements)
            """
    }

    private var verdict: Markup {
        if plan.isRefused {
            return """
                <p class="verdict blocked"><b>The model refuses this delete.</b> \
                \(Amounts.count(plan.refusals.reduce(0) { $0 + $1.count }, "row blocks", "rows block")) it.</p>
                """
        }
        let survivors = plan.updated.count
        let loose: Markup =
            survivors > 0
            ? " \(Amounts.count(survivors, "row")) \(survivors == 1 ? "stays and loses" : "stay and lose") links." : ""
        return """
            <p class="verdict"><b>\(Amounts.count(plan.deleted.count, "row")) \
            would be deleted</b>\(plan.deleted.count > plan.roots.count
            ? ", \(Amounts.count(plan.deleted.count - plan.roots.count)) of them by cascade." as Markup
            : ", none by cascade.")\(loose)</p>
            """
    }

    private func this(_ refusal: DeleteRefusal, _ addresses: Addresses) -> Markup {
        """
        <p><a class="button small" href="\(address(with: [refusal], addresses))">Plan with \(these(refusal.count)) too</a></p>
        """
    }

    private func these(_ count: Int) -> String { count == 1 ? "this row" : "these \(Amounts.count(count, "row"))" }

    private func address(with refusals: [DeleteRefusal], _ addresses: Addresses) -> String {
        var parameters = parameters
        for name in refusals.map(\.relationship.description) where !parameters.also.contains(name) {
            parameters.also.append(name)
        }
        return addresses.plan(parameters.fields)
    }

    private func confirmation(_ addresses: Addresses) -> Markup {
        if plan.isRefused {
            let count = plan.refusals.reduce(0) { $0 + $1.count }
            return """
                <div class="confirm"><p class="dim">They can be deleted together.</p>\
                <a class="button primary" href="\(address(with: plan.refusals, addresses))">Plan with \(these(count)) too</a></div>
                """
        }
        guard let shown, let cost else { return "" }
        var parts = ["about \(Amounts.bytes(cost.rowBytes)) of values"]
        if cost.fileCount > 0 {
            parts.append("\(Amounts.count(cost.fileCount, "file")) of \(Amounts.bytes(cost.fileBytes))")
        }
        parts.append(Amounts.count(cost.statements.count, "statement"))
        let slow: Markup? =
            cost.unindexed.isEmpty
            ? nil
            : """
            <br><span class="warn">No index for \(cost.unindexed.map(\.description).joined(separator: ", ")): \
            tables are read from end to end.</span>
            """
        let button =
            mayWrite
            ? Parts.action(
                "Delete \(Amounts.count(plan.deleted.count, "row"))", "delete", addresses,
                fields: [("plan", shown.id.uuidString)], kind: "danger solid")
            : "<p class=\"dim\">To delete them, start modelstore browse with --write.</p>"
        return """
            <div class="confirm"><p class="cost"><b>Cost</b> \(parts.joined(separator: " · "))\(slow)</p>\(button)</div>
            """
    }

    private func list(_ examples: Examples, _ addresses: Addresses) -> Markup {
        let items: [Markup] = examples.ids.map { "<li>\(Parts.object($0, label: labels[$0], addresses))</li>" }
        let rest = examples.count - examples.ids.count
        return
            "<ul class=\"objects\">\(items)\(rest > 0 ? "<li class=\"dim\">… \(Amounts.count(rest)) more</li>" : "")</ul>"
    }

    private func deletedSection(_ addresses: Addresses) -> Markup {
        guard !plan.isRefused else { return "" }
        let entries: [Markup] = goes.map { examples in
            """
            <h3><bdi>\(examples.entity)</bdi> <span class="count">\(Amounts.count(examples.count))</span></h3>\
            \(list(examples, addresses))
            """
        }
        return "<section class=\"card goes\"><h2>Deleted</h2>\(entries)</section>"
    }

    private func danglingSection(_ addresses: Addresses) -> Markup {
        guard let links = cost?.dangling, !links.isEmpty else { return "" }
        let entries: [Markup] = links.map { links in
            let examples = Examples(entity: links.name.entity, count: links.count, ids: links.examples)
            return """
                <h3><bdi>\(links.name.description)</bdi> <span class="count">\(Amounts.count(links.count))</span> \
                <span class="dim">\(links.count == 1 ? "link" : "links")</span></h3>\(list(examples, addresses))
                """
        }
        return "<section class=\"card stays\"><h2>Links that will dangle</h2>\(entries)</section>"
    }

    private func survivorSection(_ addresses: Addresses) -> Markup {
        guard !plan.isRefused, !stays.isEmpty || !plan.removedJoinRows.isEmpty else { return "" }
        let cut: [Markup] = stays.map { link, examples in
            """
            <h3><bdi>\(link.name.description)</bdi> <span class="count">\(Amounts.count(link.keys.count))</span> \
            <span class="dim">\(link.kind == .toOne ? "becomes nil" : "loses members")</span></h3>\(list(examples, addresses))
            """
        }
        let links: [Markup] = plan.removedJoinRows.map {
            """
            <h3><bdi>\($0.name.description)</bdi> <span class="count">\(Amounts.count($0.count))</span> \
            <span class="dim">\($0.count == 1 ? "link" : "links") removed</span></h3>
            """
        }
        return "<section class=\"card stays\"><h2>Stays, loses links</h2>\(cut)\(links)</section>"
    }

    private func obstacles(_ addresses: Addresses) -> Markup {
        guard plan.isRefused else { return "" }
        let entries: [Markup] = plan.refusals.map { refusal in
            let (what, advice) =
                switch refusal.reason {
                case .denied:
                    ("\(refusal.relationship) denies it while it references", "Delete or unlink them first.")
                case .mandatory(let inverse, _):
                    ("\(inverse) must not be empty in", "Delete them too, or give them another one first.")
                case .tooFew(let inverse, let minimum):
                    ("\(inverse) needs at least \(minimum) in", "Delete them too, or give them others first.")
                }
            let examples = Examples(
                entity: refusal.relationship.entity, count: refusal.count, ids: refusal.examples)
            return """
                <h3><bdi>\(what)</bdi> <span class="count">\(Amounts.count(refusal.count))</span></h3>\
                \(list(examples, addresses))<p class="dim">\(advice)</p>\(plan.refusals.count > 1 ? this(refusal, addresses) : nil)
                """
        }
        return "<section class=\"card blocks\"><h2>Blocks the delete</h2>\(entries)</section>"
    }

    private var statements: Markup {
        guard let cost, !cost.statements.isEmpty else { return "" }
        let lines: [Markup] = cost.statements.map { "<li><code>\($0)</code></li>" }
        return """
            <details class="statements"><summary>\(Amounts.count(cost.statements.count, "statement"))</summary>\
            <ol>\(lines)</ol></details>
            """
    }
}
