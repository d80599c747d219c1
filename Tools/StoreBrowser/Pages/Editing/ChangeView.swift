import Foundation
import ObjectGraph
import SQLiteStore
import StoreInspection

/// A preview of an edit, shown before it is saved.
struct ChangeView: View {
    let title: String
    let place: Place
    let plan: EditPlan
    /// `title of Bean soup`.
    let subject: String
    private let id: UUID
    private let names: NamedRows
    private let makesBackup: Bool
    private let notesHistory: Bool

    /// - Throws: errors of reading.
    init(_ id: UUID, _ plan: EditPlan, _ store: SQLiteStore, makesBackup: Bool) throws {
        (self.id, self.plan, self.makesBackup) = (id, plan, makesBackup)
        let ends = plan.rows.flatMap(\.properties).flatMap { property -> [ObjectID] in
            switch property.change {
            case .value: []
            case .destination(let old, let new): [old, new].compactMap { $0 }
            case .members(let added, let removed):
                Array(added.prefix(Self.mostMembers) + removed.prefix(Self.mostMembers))
            }
        }
        names = try NamedRows(plan.rows.map(\.id) + ends, store)
        notesHistory = try store.historyToken() != nil
        let own = plan.rows.first?.properties ?? []
        let name = names[plan.id] ?? plan.id.address
        subject = "\(own.count == 1 ? own[0].name : Amounts.count(own.count, "property", "properties")) of \(name)"
        title = "Change \(subject)"
        place = .rows(plan.id.entityName)
    }

    private static let mostMembers = 20

    var value: InspectedValue {
        .fields([
            InspectedField("change", .text(id.uuidString)),
            InspectedField(
                "rows",
                .list(
                    plan.rows.map { row in
                        .fields([
                            InspectedField("object", .text(row.id.address)),
                            InspectedField("properties", .list(row.properties.map(Self.value))),
                        ])
                    })),
            InspectedField("derived", .texts(plan.derived)),
        ])
    }

    private static func value(_ property: EditedProperty) -> InspectedValue {
        let change: [InspectedField] =
            switch property.change {
            case .value(let old, let new): [InspectedField("old", old), InspectedField("new", new)]
            case .destination(let old, let new):
                [InspectedField("old", .optional(old?.address)), InspectedField("new", .optional(new?.address))]
            case .members(let added, let removed):
                [
                    InspectedField("added", .texts(added.map(\.address))),
                    InspectedField("removed", .texts(removed.map(\.address))),
                ]
            }
        return .fields([InspectedField("name", .text(property.name))] + change)
    }

    // MARK: HTML

    func body(_ addresses: Addresses) -> Markup {
        let own = plan.rows.first.map { [$0] } ?? []
        return """
            <nav class="crumbs" aria-label="Where this is"><a href="\(addresses.rows(plan.id.entityName))">\
            <bdi>\(plan.id.entityName)</bdi></a><a href="\(addresses.object(plan.id))">p\(plan.id.key)</a>\
            <a href="\(addresses.changeForm(id))">Edit</a><span>Review</span></nav>
            <h1><bdi>\(title)</bdi></h1>
            <div class="scroll"><table class="diff"><thead><tr><th scope="col">Property</th><th scope="col">Now</th>\
            <th scope="col">After</th></tr></thead><tbody>\(own.flatMap(\.properties).map { row($0, addresses) })</tbody></table></div>
            \(others(addresses))\(derived)
            <div class="confirm"><p class="dim">\(consequences)</p><div class="buttons">\
            <a class="button" href="\(addresses.changeForm(id))">Keep editing</a>\
            <a class="button quiet" href="\(addresses.object(plan.id))">Discard</a>\
            \(Parts.action("Save", "save", addresses, fields: [("change", id.uuidString)], kind: "primary"))</div></div>
            """
    }

    private var consequences: Markup {
        let rows = Amounts.count(plan.rows.count, "row")
        let backup = makesBackup ? " A backup of the file is made first." : ""
        let history = notesHistory ? ", noted in the history" : ""
        return "\(rows) in one transaction\(history).\(backup)"
    }

    private func row(_ property: EditedProperty, _ addresses: Addresses) -> Markup {
        let (old, new) = cells(property, addresses)
        return """
            <tr><th scope="row"><bdi>\(property.name)</bdi></th><td class="old" data-label="Now">\(old)</td>\
            <td class="new" data-label="After">\(new)</td></tr>
            """
    }

    private func cells(_ property: EditedProperty, _ addresses: Addresses) -> (old: Markup, new: Markup) {
        switch property.change {
        case .value(let old, let new): (Parts.whole(old), Parts.whole(new))
        case .destination(let old, let new): (end(old, addresses), end(new, addresses))
        case .members(let added, let removed):
            (list(removed, "removed", addresses), list(added, "added", addresses))
        }
    }

    private func end(_ id: ObjectID?, _ addresses: Addresses) -> Markup {
        id.map { Parts.object($0, label: names[$0], exists: names.exists($0), addresses) }
            ?? "<span class=\"nil\">nil</span>"
    }

    private func list(_ ids: [ObjectID], _ word: String, _ addresses: Addresses) -> Markup {
        guard !ids.isEmpty else { return "<span class=\"dim\">nothing \(word)</span>" }
        let items: [Markup] = ids.prefix(Self.mostMembers).map { "<li>\(end($0, addresses))</li>" }
        let rest = ids.count - items.count
        let more: Markup? = rest > 0 ? "<li class=\"dim\">… \(Amounts.count(rest)) more</li>" : nil
        return "<span class=\"dim small\">\(word)</span><ul class=\"objects\">\(items)\(more)</ul>"
    }

    /// Other rows that the edit changes.
    private func others(_ addresses: Addresses) -> Markup? {
        let rows = plan.rows.dropFirst()
        guard !rows.isEmpty else { return nil }
        let items: [Markup] = rows.flatMap { row in
            row.properties.map { property in
                let (old, new) = cells(property, addresses)
                return """
                    <tr><th scope="row">\(end(row.id, addresses)) <bdi>\(property.name)</bdi></th><td class="old" data-label="Now">\
                    \(old)</td><td class="new" data-label="After">\(new)</td></tr>
                    """
            }
        }
        return """
            <h2 class="also">Changes with it</h2><div class="scroll"><table class="diff"><thead><tr><th scope="col">Row</th>\
            <th scope="col">Now</th><th scope="col">After</th></tr></thead><tbody>\(items)</tbody></table></div>
            """
    }

    private var derived: Markup? {
        guard !plan.derived.isEmpty else { return nil }
        return "<p class=\"dim\">Recomputed on save: <bdi>\(plan.derived.joined(separator: ", "))</bdi></p>"
    }
}

/// Shown for an edit that changes nothing.
struct NoChangeView: View {
    let id: ObjectID
    let title = "Nothing would change"
    var place: Place { .rows(id.entityName) }

    var value: InspectedValue {
        .fields([InspectedField("object", .text(id.address)), InspectedField("rows", .list([]))])
    }

    func body(_ addresses: Addresses) -> Markup {
        """
        <h1>\(title)</h1><p class="nothing">The row has these values already. <a href="\(addresses.object(id))">Back to it</a></p>
        """
    }
}

/// Shown for an edit of a row that was saved after its form was created.
struct EditConflictView: View {
    let id: ObjectID
    let version: RowVersion
    let sent: SentEdit
    let conflicts: [EditConflict]
    let title = "Changed meanwhile"
    let status = WebResponse.Status.conflict
    var place: Place { .rows(id.entityName) }

    var value: InspectedValue {
        .fields([
            InspectedField("object", .text(id.address)), InspectedField("version", .integer(version)),
            InspectedField(
                "conflicts",
                .list(
                    conflicts.map {
                        .fields([
                            InspectedField("property", .text($0.property)), InspectedField("was", .optional($0.was)),
                            InspectedField("stored", .optional($0.stored)),
                            InspectedField("wanted", .optional($0.wanted)),
                        ])
                    })),
        ])
    }

    func body(_ addresses: Addresses) -> Markup {
        let rows: [Markup] = conflicts.map { conflict in
            """
            <tr><th scope="row"><bdi>\(conflict.property)</bdi></th><td data-label="In the form">\(Self.text(conflict.was))</td>\
            <td class="old" data-label="In the file now">\(Self.text(conflict.stored))</td>\
            <td class="new" data-label="Yours">\(Self.text(conflict.wanted))</td></tr>
            """
        }
        let table: Markup? =
            rows.isEmpty
            ? nil
            : """
            <div class="scroll"><table class="diff"><thead><tr><th scope="col">Property</th><th scope="col">When the form was \
            opened</th><th scope="col">In the file now</th><th scope="col">Yours</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
        return """
            <h1>\(title)</h1>
            <p class="problem-line" role="alert"><a href="\(addresses.object(id))"><bdi>\(id.address)</bdi></a> was saved by \
            something else since the form was opened. Nothing was written.</p>
            \(table)
            <div class="buttons"><form method="post" action="\(addresses.action("edit"))">\(fields)\
            <button class="button primary">Apply yours to the row as it is now</button></form>\
            <a class="button" href="\(addresses.edit(id))">Start over</a></div>
            """
    }

    private static func text(_ text: String?) -> Markup { Parts.whole(text.map(InspectedValue.text) ?? .none) }

    /// Form fields that repeat the edit against the row's current version.
    private var fields: [Markup] {
        var fields = [("object", id.address), ("version", String(version))]
        if let only = sent.only { fields.append(("only", only)) }
        let stored = Dictionary(conflicts.map { ($0.property, $0.stored) }, uniquingKeysWith: { one, _ in one })
        for (path, text) in sent.edit.values.sorted(by: { $0.key < $1.key }) {
            let now = stored[path] ?? nil
            fields += [("value:\(path)", text.wanted ?? ""), ("was:\(path)", now ?? ""), ("hasnil:\(path)", "1")]
            if now == nil { fields.append(("wasnil:\(path)", "1")) }
            if text.wanted == nil { fields.append(("nil:\(path)", "1")) }
        }
        for (name, text) in sent.edit.destinations.sorted(by: { $0.key < $1.key }) {
            fields += [("to:\(name)", text.wanted ?? ""), ("wasto:\(name)", (stored[name] ?? nil) ?? "")]
        }
        for (name, texts) in sent.edit.added { fields += texts.map { ("add:\(name)", $0) } }
        for (name, texts) in sent.edit.removed { fields += texts.map { ("remove:\(name)", $0) } }
        return fields.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" }
    }
}
