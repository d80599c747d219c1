import ObjectGraph
import SQLiteStore

/// The mark of an unreadable value: `⟨lost file⟩` or `⟨unreadable⟩` in tables and CSV, and in JSON an object with the
/// single field `$lost`, whose text describes the value.
package enum LostValue {
    package static let field = "$lost"

    static let fileMark = "⟨lost file⟩"
    static let cellMark = "⟨unreadable⟩"

    /// The text in JSON: `file F19AA191-…`, or `value (stored as TEXT)`.
    static func text(_ fault: CellFault) -> String {
        switch fault {
        case .lostFile(let name): "\(fileWord) \(name)"
        case .badTag: "value"
        case .wrongType(_, let found): "value (stored as \(found))"
        }
    }

    private static let fileWord = "file"

    static func mark(_ text: String) -> String { text.hasPrefix(fileWord) ? fileMark : cellMark }

    /// Whether a CSV cell is one of the marks. In a text attribute, the same characters are an ordinary value.
    static func isMark(_ text: String, for leaf: Attribute) -> Bool {
        leaf.type != .string && leaf.type != .uri && isMark(text)
    }

    static func isMark(_ text: String) -> Bool { text == fileMark || text == cellMark }
}

extension InspectedValue {
    package static func lost(_ fault: CellFault) -> InspectedValue {
        .fields([InspectedField(LostValue.field, .text(LostValue.text(fault)))])
    }

    /// `⟨lost file⟩` or `⟨unreadable⟩` for the mark of an unreadable value; `nil` for other values.
    package var lostMark: String? {
        guard case .fields(let fields) = self, fields.count == 1, let only = fields.first,
            only.name == LostValue.field, let text = only.value.textValue
        else { return nil }
        return LostValue.mark(text)
    }
}

extension UnreadableCells {
    /// One line that explains the marks in the output; `nil` if there are none.
    package static func summary(of cells: [UnreadableCells]) -> String? {
        let counts = cells.map(\.shownCounts)
        let (files, others) = (counts.reduce(0) { $0 + $1.files }, counts.reduce(0) { $0 + $1.others })
        let all = files + others
        guard all > 0 else { return nil }
        let parts = [
            files > 0
                ? "\(Amounts.count(files)) in missing files (copy the store together with its hidden _SUPPORT folder)"
                : nil,
            others > 0 ? "\(Amounts.count(others)) not of the property's type (`modelstore check` names them)" : nil,
        ].compactMap { $0 }
        return "\(all >= countLimit ? "At least " : "")\(Amounts.count(all, "value")) could not be read, and "
            + "\(all == 1 ? "is" : "are") marked: \(parts.joined(separator: ", "))."
    }
}
