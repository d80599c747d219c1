import Testing

@testable import StoreInspection

@Suite("Lengths of displayed texts")
struct TextLengthTests {
    @Test("A text is truncated by characters, and by combining marks if a character has many")
    func cut() {
        #expect("abc".cut(to: 3) == "abc" && "äöü".cut(to: 3) == "äöü" && "abcd".cut(to: 3) == "ab…")
        #expect("".cut(to: 3) == "")
        let marked = "e" + String(repeating: "\u{301}", count: 100)
        #expect(marked.cut(to: 3).unicodeScalars.count == 13 && ("a" + marked).cut(to: 3).hasSuffix("…"))
        #expect(("aa" + marked).cut(to: 3) == "aa…" && marked.cut(to: 1) == "…")
        #expect("e\u{301}e\u{301}e\u{301}".cut(to: 3) == "e\u{301}e\u{301}e\u{301}")
    }

    @Test(
        "A text of invisible characters is blank",
        arguments: ["", " ", "\n\t", "\u{200B}", "\u{FEFF} ", "\u{1}", "\u{3164}"])
    func blank(text: String) {
        #expect(text.isBlank && !(text + "a").isBlank)
    }
}
