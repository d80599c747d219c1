/// How much may still be put into words of what an archive has. Its objects may be shared: a few that refer to each other
/// twice come to a text that grows with a power of their number.
final class TextBudget {
    private var rest: Int

    /// - Parameter amount: of objects and bytes of text together.
    init(_ amount: Int = 1 << 20) { rest = amount }

    /// - Returns: whether so much more is allowed.
    func take(_ amount: Int = 1) -> Bool {
        guard amount <= rest else {
            rest = 0
            return false
        }
        rest -= amount
        return true
    }

    /// The text, or what no parser takes where there is no room for it.
    func allowing(_ text: String) -> String { take(text.utf8.count) ? text : "<...>" }

    /// For an object that is not put into words.
    func placeholder(_ className: String) -> String { "<" + (take(className.utf8.count) ? className : "...") + ">" }
}
