import ObjectGraph
import StoreInspection

/// An edit as submitted by a form.
struct SentEdit: Sendable {
    let edit: RowEdit
    /// The only property in the form.
    let only: String?

    /// - Throws: `Problem` for a malformed form.
    init(_ form: Fields) throws {
        guard let object = form["object"], let version = form["version"].flatMap(Int64.init) else {
            throw Self.notUnderstood
        }
        var edit = RowEdit(object, version: version)
        for name in form.names {
            guard let colon = name.firstIndex(of: ":") else { continue }
            let property = String(name[name.index(after: colon)...])
            switch name[..<colon] {
            case "value": edit.values[property] = Self.value(property, form)
            case "to": edit.destinations[property] = Self.destination(property, form)
            case "add":
                let picked = form["pick:\(property)"]
                edit.added[property] = [picked ?? form[name]].compactMap { $0 }
            case "remove": edit.removed[property] = form.all(name)
            case "was", "wasnil", "hasnil", "wasto", "nil", "pick": break
            default: throw Self.notUnderstood
            }
        }
        (self.edit, only) = (edit, form["only"])
    }

    private static let notUnderstood = Problem(
        .badRequest, "Not understood", "This is not a form for a row. Open the row again, and edit it there.")

    /// - Returns: `nil` if nothing was changed.
    private static func value(_ path: String, _ form: Fields) -> RowEdit.Text? {
        guard let typed = form.sent("value:\(path)"), let sent = form.sent("was:\(path)") else { return nil }
        let was: String? = form["wasnil:\(path)"] == nil ? sent : nil
        let isTyped = !EditText.areSame(typed, sent)
        let wanted: String? =
            switch form.sent("nil:\(path)") {
            // A text typed into a field that was nil counts, even if its nil checkbox is still checked.
            case "1"?: isTyped && was == nil ? typed : nil
            // An empty field means nil if there is no nil checkbox.
            default: typed.isEmpty && form.sent("hasnil:\(path)") == nil ? nil : typed
            }
        return EditText.areSame(was, wanted) ? nil : RowEdit.Text(was: was, wanted: wanted)
    }

    private static func destination(_ name: String, _ form: Fields) -> RowEdit.Text? {
        guard let typed = form.sent("to:\(name)"), let sent = form.sent("wasto:\(name)") else { return nil }
        let was = sent.isEmpty ? nil : sent
        let text = RowLookup.address(in: form["pick:\(name)"] ?? typed)
        let wanted = text.isBlank ? nil : text
        return was == wanted ? nil : RowEdit.Text(was: was, wanted: wanted)
    }
}
