import ObjectGraph
import SQLiteStore
import StoreInspection

/// The editable fields of a row, with their stored values or the values typed before.
struct EditForm: Sendable {
    let id: ObjectID
    let version: RowVersion
    /// A text that identifies the row to the reader.
    let label: String?
    /// The only property to edit; `nil` for all.
    let only: String?
    private let fields: [Field]
    private let links: [LinkField]
    let problems: [EditProblem]
    private let candidates: [ObjectID: String]

    private struct Field: Sendable {
        let leaf: EditableLeaf
        let was: EditText.Form
        /// The text as it was typed.
        let wanted: String??
        /// Shown if the value cannot be edited as text.
        let shown: InspectedValue
    }

    private struct LinkField: Sendable {
        let relationship: Relationship
        let isToOne: Bool
        let count: Int
        let members: [ObjectDetail.Member]
        let typed: String?
        let removed: Set<String>
    }

    /// Members that get a checkbox for removal. Members beyond this number can be removed from the member's own form.
    private static let mostMembers = 30

    /// - Parameters:
    ///   - draft: the values typed before.
    ///   - problems: problems of the draft.
    /// - Throws: `InspectionError`, and errors of reading.
    init(
        _ id: ObjectID, only: String?, _ store: SQLiteStore, _ reading: StoreReading, draft: RowEdit? = nil,
        problems: [EditProblem] = []
    ) throws {
        let detail = try ObjectDetail(id, reading, in: store.model, style: .people, most: Self.mostMembers)
        guard let row = try reading.snapshots(of: [detail.id]).first else { throw InspectionError.noRow(id.address) }
        let entity = try store.model.inspectedEntity(row.id.entityName)
        if let only, !entity.propertyNames.contains(only) {
            throw InspectionError.unknownProperty(entity: entity.name, property: only, known: entity.propertyNames)
        }
        (self.id, version, label, self.only, self.problems) = (row.id, row.version, detail.label, only, problems)
        let shown = Dictionary(detail.attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { one, _ in one })
        fields = EditableLeaf.all(of: entity).filter { only == nil || $0.attribute.name == only }.map { leaf in
            Field(
                leaf: leaf,
                was: EditText.form(
                    of: row.values.indices.contains(leaf.slot) ? row.values[leaf.slot] : .null, leaf.leaf),
                wanted: draft?.values[leaf.path].map(\.wanted), shown: shown[leaf.attribute.name] ?? .none)
        }
        links = detail.relationships.filter { only == nil || $0.relationship.name == only }.map { link in
            let name = link.relationship.name
            return LinkField(
                relationship: link.relationship, isToOne: link.relationship.cardinality == .toOne, count: link.count,
                members: link.members,
                typed: draft.flatMap { $0.destinations[name]?.wanted ?? $0.added[name]?.first },
                removed: Set(draft?.removed[name] ?? []))
        }
        let ids = problems.flatMap(\.candidates)
        candidates = try RowLabels(store.model, reading).labels(of: reading.snapshots(of: ids))
    }

    // MARK: HTML

    func markup(_ addresses: Addresses) -> Markup {
        let general = problems.filter { problem in problem.property.map { !has($0) } ?? true }
        let hints: [Markup] = general.map { "<p class=\"problem-line\" role=\"alert\">\($0.text)</p>" }
        return """
            \(hints)
            <form class="edit" method="post" action="\(addresses.action("edit"))" data-edit autocomplete="off">
            <input type="hidden" name="object" value="\(id.address)"><input type="hidden" name="version" value="\(version)">\
            \(only.map { "<input type=\"hidden\" name=\"only\" value=\"\($0)\">" as Markup })
            \(fields.enumerated().map { field($1, "field-\($0)") })
            \(links.enumerated().map { link($1, "link-\($0)", addresses) })
            <div class="buttons"><button class="button primary">Review the change</button>\
            <a class="button quiet" href="\(addresses.object(id))" data-cancel>Cancel</a></div>
            </form>
            """
    }

    private func has(_ property: String) -> Bool {
        fields.contains { $0.leaf.path == property } || links.contains { $0.relationship.name == property }
    }

    private func notes(on property: String, _ place: String) -> (described: Markup?, markup: Markup?) {
        let own = problems.filter { $0.property == property }
        guard !own.isEmpty else { return (nil, nil) }
        let texts: [Markup] = own.map { "<p>\($0.text)</p>" }
        return (
            " aria-invalid=\"true\" aria-describedby=\"\(place)-problem\"",
            "<div class=\"problem-line\" id=\"\(place)-problem\" role=\"alert\">\(texts)</div>"
        )
    }

    // MARK: Values

    private func field(_ field: Field, _ place: String) -> Markup {
        let leaf = field.leaf
        let head: Markup = "<bdi>\(leaf.path)</bdi> <span class=\"type\">\(leaf.type)</span>"
        guard case .text(let was) = field.was else {
            return """
                <div class="field"><span class="name">\(head)</span><p class="shown">\(Parts.cell(field.shown)) \
                <span class="dim small">read only</span></p></div>
                """
        }
        let notes = notes(on: leaf.path, place)
        return """
            <div class="field"><label for="\(place)">\(head)</label>\
            <input type="hidden" name="was:\(leaf.path)" value="\(was ?? "")">\
            \(was == nil ? "<input type=\"hidden\" name=\"wasnil:\(leaf.path)\" value=\"1\">" : "")\
            \(leaf.distinguishesEmpty ? "<input type=\"hidden\" name=\"hasnil:\(leaf.path)\" value=\"1\">" : "")\
            <div class="control">\(control(field, was, place, notes.described))\(nilBox(field, was, place))</div>\(notes.markup)</div>
            """
    }

    private func nilBox(_ field: Field, _ was: String?, _ place: String) -> Markup? {
        let leaf = field.leaf
        guard leaf.distinguishesEmpty, leaf.isOptional || was == nil else { return nil }
        let isNil = (field.wanted ?? was) == nil
        return """
            <label class="nil-box"><input type="checkbox" name="nil:\(leaf.path)" value="1" data-nil="\(place)"\
            \("checked", if: isNil)> nil</label>
            """
    }

    private func control(_ field: Field, _ was: String?, _ place: String, _ described: Markup?) -> Markup {
        let leaf = field.leaf
        let text = (field.wanted ?? was) ?? ""
        let name = "value:\(leaf.path)"
        switch leaf.leaf.type {
        case .boolean:
            let choices = [("true", "yes"), ("false", "no")] + (leaf.isOptional || was == nil ? [("", "nil")] : [])
            let options: [Markup] = choices.map { value, words in
                "<option value=\"\(value)\"\("selected", if: value == text)>\(words)</option>"
            }
            return "<select id=\"\(place)\" name=\"\(name)\"\(described)>\(options)</select>"
        case .string:
            let rows = min(10, max(1, text.count(where: \.isNewline) + 1, text.count / 60))
            return """
                <textarea id="\(place)" name="\(name)" rows="\(rows)"\(described)>\n\(text)</textarea>
                """
        case .date:
            return Self.input(place, name, text, hint: "2024-03-01T12:00:00Z", mode: "text", described)
                + "<span class=\"dim small\">UTC</span>"
        case .integer16, .integer32, .integer64:
            return Self.input(place, name, text, hint: hint(leaf), mode: "numeric", described)
        case .decimal, .double, .float:
            return Self.input(place, name, text, hint: hint(leaf), mode: "decimal", described)
        default: return Self.input(place, name, text, hint: hint(leaf), mode: "text", described)
        }
    }

    private func hint(_ leaf: EditableLeaf) -> String { leaf.isOptional ? "nil" : "" }

    private static func input(
        _ place: String, _ name: String, _ text: String, hint: String, mode: String, _ described: Markup?
    ) -> Markup {
        """
        <input id="\(place)" name="\(name)" value="\(text)" placeholder="\(hint)" inputmode="\(mode)" spellcheck="false"\(described)>
        """
    }

    // MARK: Links

    private func link(_ link: LinkField, _ place: String, _ addresses: Addresses) -> Markup {
        let name = link.relationship.name
        let head: Markup = """
            <bdi>\(name)</bdi> <span class="type">\(link.isToOne ? "→" : "⇉") <bdi>\(link.relationship.destinationName)</bdi></span>
            """
        let notes = notes(on: name, place)
        return link.isToOne
            ? destination(link, place, head, notes, addresses) : members(link, place, head, notes, addresses)
    }

    private static func words(_ member: ObjectDetail.Member) -> String {
        member.label.map { "\($0) (\(member.id.address))" } ?? member.id.address
    }

    private func destination(
        _ link: LinkField, _ place: String, _ head: Markup, _ notes: (described: Markup?, markup: Markup?),
        _ addresses: Addresses
    ) -> Markup {
        let name = link.relationship.name
        let was = link.members.first
        let text = link.typed ?? was.map(Self.words) ?? ""
        return """
            <div class="field"><label for="\(place)">\(head)</label>\
            <input type="hidden" name="wasto:\(name)" value="\(was?.id.address ?? "")">\
            <div class="control combo"><input id="\(place)" name="to:\(name)" value="\(text)" \
            placeholder="\(link.relationship.isOptional ? "nil" : "") – an identifier such as p12, or words" spellcheck="false" \
            data-suggestions="\(addresses.suggestions(link.relationship.destinationName))"\(notes.described)></div>\
            \(choices(name, place))\(notes.markup)</div>
            """
    }

    private func members(
        _ link: LinkField, _ place: String, _ head: Markup, _ notes: (described: Markup?, markup: Markup?),
        _ addresses: Addresses
    ) -> Markup {
        let name = link.relationship.name
        let boxes: [Markup] = link.members.map { member in
            """
            <label><input type="checkbox" name="remove:\(name)" value="\(member.id.address)"\
            \("checked", if: link.removed.contains(member.id.address))> \
            <span class="unseen">Remove</span> <bdi>\(member.label ?? member.id.address)</bdi> <code>p\(member.id.key)</code></label>
            """
        }
        let rest: Markup? =
            link.count > link.members.count
            ? "<p class=\"dim small\">… \(Amounts.count(link.count - link.members.count)) more: change these from their own end.</p>"
            : nil
        let list: Markup? =
            boxes.isEmpty
            ? nil
            : "<fieldset><legend class=\"dim small\">Check to remove</legend><div class=\"boxes\">\(boxes)</div></fieldset>\(rest)"
        return """
            <div class="field"><label for="\(place)">\(head)</label>\(list)\
            <div class="control combo"><input id="\(place)" name="add:\(name)" value="\(link.typed ?? "")" \
            placeholder="Add: an identifier such as p12, or words" spellcheck="false" \
            data-suggestions="\(addresses.suggestions(link.relationship.destinationName))"\(notes.described)></div>\
            \(choices(name, place))\(notes.markup)</div>
            """
    }

    /// Candidates for an ambiguous link target.
    private func choices(_ name: String, _ place: String) -> Markup? {
        let ids = problems.filter { $0.property == name }.flatMap(\.candidates)
        guard !ids.isEmpty else { return nil }
        let items: [Markup] = ids.map { id in
            """
            <label><input type="radio" name="pick:\(name)" value="\(id.address)"> <bdi>\(candidates[id] ?? id.address)</bdi> \
            <code>p\(id.key)</code></label>
            """
        }
        return "<fieldset class=\"picks\"><legend>Which one?</legend><div class=\"boxes\">\(items)</div></fieldset>"
    }
}
