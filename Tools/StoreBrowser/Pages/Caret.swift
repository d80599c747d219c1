/// The line of a text that contains an error, with a mark below the error.
struct Caret {
    private let line: String
    /// In characters.
    private let column: Int

    /// In characters.
    private static let widest = 160

    init(_ text: String, at place: Int) {
        let characters = Array(text)
        let place = min(max(0, place), characters.count)
        let start = characters[..<place].lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
        let end = characters[place...].firstIndex(where: \.isNewline) ?? characters.count
        // Cuts a long line to the part around the error.
        let first = max(start, place - Self.widest / 2)
        line = String(characters[first..<min(end, first + Self.widest)]).replacing("\t", with: " ")
        column = place - first
    }

    /// - Returns: `nil` if the offset lies beyond the text.
    init?(_ text: String, utf8Offset offset: Int) {
        guard offset >= 0, offset <= text.utf8.count else { return nil }
        let index = text.utf8.index(text.startIndex, offsetBy: offset)
        self.init(text, at: text.distance(from: text.startIndex, to: index))
    }

    var markup: Markup {
        "<pre class=\"caret\" aria-hidden=\"true\">\(line)\n\(String(repeating: " ", count: column))^</pre>"
    }
}
