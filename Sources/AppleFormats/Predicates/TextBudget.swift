/// The remaining size of the text that an archive may expand to. Archived objects may be shared: a few objects that refer
/// to each other twice give a text of exponential length.
final class TextBudget {
    private var rest: Int

    /// - Parameter amount: The number of objects and bytes of text together.
    init(_ amount: Int = 1 << 20) { rest = amount }

    /// - Returns: Whether the budget is sufficient.
    func take(_ amount: Int = 1) -> Bool {
        guard amount <= rest else {
            rest = 0
            return false
        }
        rest -= amount
        return true
    }

    /// Returns the text, or a text that no parser accepts if the budget is exhausted.
    func allowing(_ text: String) -> String { take(text.utf8.count) ? text : "<...>" }

    /// Returns the replacement for an unsupported object.
    func placeholder(_ className: String) -> String { "<" + (take(className.utf8.count) ? className : "...") + ">" }
}
