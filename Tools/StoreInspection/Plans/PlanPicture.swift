import ObjectGraph

/// The tree that `modelstore plan` prints: a delete plan drawn as text, with deleted rows and the rule that reaches them,
/// nullified links, blocking rows, and the cost.
package struct PlanPicture: Sendable {
    private let plan: DeletePlan
    private let cost: DeleteCost?
    private let model: Model

    package init(_ plan: DeletePlan, cost: DeleteCost?, model: Model) {
        self.plan = plan
        self.cost = cost
        self.model = model
    }

    package var lines: [TonedLine] {
        guard !plan.roots.isEmpty || plan.isRefused else { return ["Nothing matches; nothing would go."] }
        return [headline, ""] + deleted + nullified + removedLinks + dangling + obstacles + costs
    }

    // MARK: Headline

    private var headline: TonedLine {
        let roots = plan.roots.count
        let all = plan.deleted.count
        let names = plan.reaches.filter { $0.via == nil }.map { "\(Amounts.count($0.count)) \($0.entity)" }
        let what = names.isEmpty ? Amounts.count(roots, "row") : names.joined(separator: " and ")
        if plan.isRefused { return TonedLine("Deleting \(what) is not possible as things are.", .bad) }
        let rest = all - roots
        guard rest > 0 else { return TonedLine("Deleting \(what) takes nothing else along.", .strong) }
        let more = Amounts.count(rest, "more row")
        return TonedLine("Deleting \(what) takes \(more) along: \(Amounts.count(all)) in all.", .strong)
    }

    // MARK: Deleted rows

    private struct Branch {
        let reach: CascadePath
        let depth: Int
        let isLast: Bool
        /// For each level above, whether its branch continues below.
        let rails: [Bool]
    }

    private var deleted: [TonedLine] {
        let branches = branches
        let labels = branches.map(label)
        let width = labels.map { TextWidth.columns(of: $0.text) }.max() ?? 0
        let digits = branches.map { Amounts.count($0.reach.count).count }.max() ?? 0
        let rows = zip(branches, labels).map { branch, label in
            let number = Amounts.count(branch.reach.count)
            let padding = String(
                repeating: " ", count: width - TextWidth.columns(of: label.text) + digits - number.count + 2)
            return label.adding(padding).adding(number, .strong)
                .adding("  " + rule(of: branch.reach), branch.reach.via == nil ? .plain : .dim)
        }
        return [TonedLine("Goes", .bad)] + rows
    }

    private func label(_ branch: Branch) -> TonedLine {
        var stem = "  "
        for rail in branch.rails.dropFirst() { stem += rail ? "│  " : "   " }
        guard let via = branch.reach.via else { return TonedLine(stem).adding(branch.reach.entity, .strong) }
        stem += branch.isLast ? "└─ " : "├─ "
        return TonedLine(stem, .dim).adding(via.relationship + " ─▶ ", .dim).adding(branch.reach.entity, .strong)
    }

    private func rule(of reach: CascadePath) -> String { reach.via == nil ? "asked for" : "cascade" }

    /// Lists each cascade path once, below the first occurrence of its entity.
    private var branches: [Branch] {
        var rest = plan.reaches
        var found: [Branch] = []
        func children(of entity: String) -> [CascadePath] {
            let own = rest.filter { $0.via?.entity == entity }
            rest.removeAll { own.contains($0) }
            return own
        }
        func add(_ reach: CascadePath, depth: Int, isLast: Bool, rails: [Bool]) {
            found.append(Branch(reach: reach, depth: depth, isLast: isLast, rails: rails))
            let below = children(of: reach.entity)
            for (place, child) in below.enumerated() {
                let last = place == below.count - 1
                add(child, depth: depth + 1, isLast: last, rails: rails + [!isLast && depth > 0])
            }
        }
        let roots = rest.filter { $0.via == nil }
        rest.removeAll { $0.via == nil }
        for root in roots { add(root, depth: 0, isLast: true, rails: []) }
        while let stray = rest.first {
            rest.removeFirst()
            add(stray, depth: 0, isLast: true, rails: [])
        }
        return found
    }

    // MARK: Surviving rows

    private var nullified: [TonedLine] {
        guard !plan.cleared.isEmpty else { return [] }
        let rows = plan.cleared.map { link in
            (link.name.description, link.keys.count, link.kind == .toOne ? "becomes nil" : "loses members")
        }
        return ["", TonedLine("Stays, loses links", .warning)] + table(rows)
    }

    private var removedLinks: [TonedLine] {
        guard !plan.removedJoinRows.isEmpty else { return [] }
        let rows = plan.removedJoinRows.map { ($0.name.description, $0.count, $0.count == 1 ? "link" : "links") }
        return ["", TonedLine("Links that go", .warning)] + table(rows)
    }

    private var dangling: [TonedLine] {
        guard let cost, !cost.dangling.isEmpty, !plan.isRefused else { return [] }
        let rows = cost.dangling.map { ($0.name.description, $0.count, $0.count == 1 ? "link" : "links") }
        let lines = zip(table(rows), cost.dangling).flatMap { line, links in
            links.examples.isEmpty
                ? [line] : [line, TonedLine("      \(Self.list(links.examples, of: links.count))", .dim)]
        }
        return ["", TonedLine("Left dangling", .warning)] + lines
    }

    private static func list(_ examples: [ObjectID], of count: Int) -> String {
        examples.map(\.address).joined(separator: ", ") + (count > examples.count ? ", …" : "")
    }

    private func table(_ rows: [(name: String, count: Int, text: String)]) -> [TonedLine] {
        let width = rows.map { TextWidth.columns(of: $0.name) }.max() ?? 0
        let digits = rows.map { Amounts.count($0.count).count }.max() ?? 0
        return rows.map { row in
            let number = Amounts.count(row.count)
            let padding = String(
                repeating: " ", count: width - TextWidth.columns(of: row.name) + digits - number.count + 2)
            return TonedLine("  " + row.name).adding(padding).adding(number, .strong).adding("  " + row.text, .dim)
        }
    }

    private var obstacles: [TonedLine] {
        guard plan.isRefused else { return [] }
        return ["", TonedLine("Refused", .bad)] + plan.refusals.flatMap(lines)
    }

    private func lines(_ refusal: DeleteRefusal) -> [TonedLine] {
        let examples = Self.list(refusal.examples, of: refusal.count)
        let count = Amounts.count(refusal.count, "object")
        let (what, advice) =
            switch refusal.reason {
            case .denied:
                ("\(refusal.relationship) (deny) references \(count)", "delete or unlink them first")
            case .mandatory(let inverse, _):
                (
                    "\(inverse) must not be empty in \(count), and \(refusal.relationship) would empty it",
                    "delete them too, or give them another one first"
                )
            case .tooFew(let inverse, let minimum):
                (
                    "\(inverse) needs at least \(Amounts.count(minimum)) in \(count)",
                    "delete them too, or give them others first"
                )
            }
        return [
            TonedLine("  ✗ ", .bad).adding(what), TonedLine("      \(examples)", .dim), TonedLine("      → \(advice)"),
        ]
    }

    // MARK: Cost

    private var costs: [TonedLine] {
        guard let cost, !plan.isRefused else { return [] }
        var parts = ["about \(Amounts.bytes(cost.rowBytes)) of values"]
        if cost.fileCount > 0 {
            parts.append("\(Amounts.count(cost.fileCount, "file")) (\(Amounts.bytes(cost.fileBytes))) beside the store")
        }
        parts.append(Amounts.count(cost.statements.count, "statement"))
        var lines: [TonedLine] = ["", TonedLine("Cost", .strong), TonedLine("  " + parts.joined(separator: ", "))]
        for name in cost.unindexed {
            lines.append(
                TonedLine("  ! ", .warning).adding("no index for \(name): its table is read from end to end"))
        }
        return lines
    }
}
