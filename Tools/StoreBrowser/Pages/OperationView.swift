import ObjectGraph
import StoreInspection

/// The current or the last delete, edit or restore.
struct OperationView: View {
    let status: OperationStatus?
    let mayWrite: Bool
    let place = Place.operation

    var title: String { status?.title ?? "Nothing is under way" }

    var value: InspectedValue { status?.value ?? .fields([InspectedField("phase", .none)]) }

    func body(_ addresses: Addresses) -> Markup {
        guard let status else {
            return """
                <h1>\(title)</h1><p class="nothing">Deletes and changes appear here once they are confirmed. \
                <a href="\(addresses.entities)">Entities</a></p>
                """
        }
        let refresh: Markup =
            status.isUnderWay ? "<noscript><p><a href=\"\(addresses.operation)\">Reload</a></p></noscript>" : ""
        return """
            <section class="work \(status.phase.rawValue)\(status.isRestore || status.edit != nil ? " back" : "")" data-work="\(status.phase.rawValue)">
            <div class="work-head"><p class="work-mark" aria-hidden="true">\(Self.mark(status.phase))</p>
            <h1 data-title>\(status.title)</h1></div>
            <p class="work-text" data-text aria-live="polite">\(status.text)</p>
            \(Self.showsBar(status) ? "<progress max=\"1\" value=\"\(String(status.share))\"></progress>" : "")
            \(status.problem.map { "<p class=\"problem-line\" role=\"alert\">\($0)</p>" as Markup })
            <div class="buttons">\(buttons(status, addresses))</div>\(refresh)
            \(status.backup.map { "<p class=\"dim small\">Backup: <code>\($0.lastPathComponent)</code></p>" as Markup })
            </section>
            \(status.obstacles.map { Self.card($0, addresses) })
            """
    }

    private static func card(_ obstacles: RestoreObstacles, _ addresses: Addresses) -> Markup {
        let entries: [Markup] = obstacles.entries.map { entry in
            let (what, advice) = entry.words
            let rest = entry.conflict.count - entry.conflict.examples.count
            let more: Markup? = rest > 0 ? "<li class=\"dim\">… \(Amounts.count(rest)) more</li>" : nil
            return """
                <h3><bdi>\(what)</bdi> <span class="count">\(Amounts.count(entry.conflict.count))</span></h3>\
                <ul class="objects">\(entry.conflict.examples.map { object($0, obstacles.labels, addresses) })\(more)</ul>\
                <p class="dim">\(advice)</p>
                """
        }
        return
            "<div class=\"columns\"><section class=\"card blocks\"><h2>What prevents it</h2>\(entries)</section></div>"
    }

    /// Rows that exist only in an archived deletion have no page.
    private static func object(_ id: ObjectID, _ labels: NamedRows, _ addresses: Addresses) -> Markup {
        labels.exists(id)
            ? "<li>\(Parts.object(id, label: labels[id], addresses))</li>"
            : "<li><code><bdi>\(id.address)</bdi></code></li>"
    }

    private static func showsBar(_ status: OperationStatus) -> Bool {
        status.isUnderWay || (status.phase == .stopped && status.done > 0)
    }

    private static func mark(_ phase: OperationStatus.Phase) -> String {
        switch phase {
        case .copying, .deleting, .stopping, .restoring, .forgetting, .dropping, .saving, .reverting: "…"
        case .stopped: "■"
        case .deleted, .restored, .forgotten, .dropped, .saved, .reverted: "✓"
        case .failed: "!"
        }
    }

    private func buttons(_ status: OperationStatus, _ addresses: Addresses) -> Markup {
        var buttons: [Markup] = []
        let own = [("work", status.id.uuidString)]
        if status.mayStop { buttons.append(Parts.action("Stop", "stop", addresses)) }
        if status.mayUndo {
            let words = status.isRestore ? "Restore the rest" : "Undo"
            buttons.append(Parts.action(words, "undo", addresses, fields: own, kind: "primary"))
        }
        if status.mayResume {
            buttons.append(Parts.action("Resume", "resume", addresses, fields: own, kind: "danger"))
        }
        if status.mayTryAgain, let plan = status.plan {
            let fields = [("plan", plan.uuidString)]
            buttons.append(Parts.action("Try again", "delete", addresses, fields: fields, kind: "danger"))
        }
        if status.mayRestoreAgain, let token = status.token {
            let fields = [("token", token.description)]
            buttons.append(Parts.action("Try again", "restore", addresses, fields: fields, kind: "primary"))
        }
        if status.obstacles != nil {
            buttons.append("<a class=\"button\" href=\"\(addresses.kept)\">Deletes</a>")
        }
        if status.mayPlanAgain {
            buttons.append(
                "<a class=\"button primary\" href=\"\(addresses.plan(status.parameters))\">Make the plan again</a>")
        }
        if let edit = status.edit, !status.isUnderWay {
            buttons.append(
                status.mayReviewAgain
                    ? "<a class=\"button primary\" href=\"\(addresses.change(edit.shown))\">Review the change again</a>"
                    : "<a class=\"button\" href=\"\(addresses.object(edit.object))\">Show the row</a>")
        }
        if !status.isUnderWay {
            let words = status.isUnfinished ? "Keep as is" : "Done"
            let kind = status.mayUndo ? "quiet" : ""
            buttons.append(Parts.action(words, "dismiss", addresses, fields: own, kind: kind))
        }
        return buttons.joined("\n")
    }
}
