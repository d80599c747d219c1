import Testing

@testable import ObjectGraph

@Suite struct TextMatchingTests {
    @Test(
        "byte tests",
        arguments: [
            ("Hello", "ell", true, false, false), ("Hello", "Hel", true, true, false),
            ("Hello", "llo", true, false, true),
            ("Hello", "hello", false, false, false), ("Hello", "", true, true, true), ("", "", true, true, true),
            ("", "a", false, false, false), ("aab", "ab", true, false, true), ("a", "aa", false, false, false),
            ("caf\u{e9}", "e", false, false, false), ("cafe\u{301}", "e", true, false, false),
            ("caf\u{e9}", "e\u{301}", false, false, false), ("日本語", "本", true, false, false),
        ])
    func bytes(text: String, other: String, contains: Bool, begins: Bool, ends: Bool) {
        #expect(TextMatching.test(.contains, text, other) == contains)
        #expect(TextMatching.test(.beginsWith, text, other) == begins)
        #expect(TextMatching.test(.endsWith, text, other) == ends)
    }

    @Test(
        "the localized test ignores case, accents and width",
        arguments: [
            ("Hello", "HELL", true), ("Café au lait", "CAFE", true), ("cafe", "café", true), ("Straße", "s", true),
            ("ＡＢＣ", "abc", true), ("Hello", "x", false), ("", "", true), ("", "a", false), ("[\\]", "{|}", false),
        ])
    func localizedContains(text: String, other: String, expected: Bool) {
        #expect(TextMatching.test(.containsLocalizedStandard, text, other) == expected)
    }

    @Test("a regular expression must match the whole text; a bad one matches nothing")
    func regex() {
        #expect(TextMatching.test(.matches, "abc123", "[a-z]+[0-9]+"))
        #expect(!TextMatching.test(.matches, "abc123!", "[a-z]+[0-9]+"))
        #expect(!TextMatching.test(.matches, "abc", "(["))
        #expect(!TextMatching.test(.matches, "([", "(["))
        for number in 0..<200 { #expect(TextMatching.test(.matches, "\(number)", "0*\(number)")) }
    }

    @Test(
        "orders",
        arguments: [
            (TextOrder.binary, ["", "A", "B", "a", "é"]),
            (.localizedStandard, ["", "a", "A", "é", "f", "File 2", "file 10", "File 10b", "z"]),
        ])
    func orders(order: TextOrder, texts: [String]) {
        for (i, a) in texts.enumerated() {
            for (j, b) in texts.enumerated() {
                #expect(TextMatching.order(order, a, b) == (i == j ? 0 : (i < j ? -1 : 1)), "\(a) and \(b)")
            }
        }
    }

    @Test("the case-insensitive order ties on case only")
    func caseInsensitive() {
        #expect(TextMatching.order(.caseInsensitive, "abc", "ABC") == 0)
        #expect(TextMatching.order(.caseInsensitive, "ÉTÉ", "été") == 0)
        #expect(TextMatching.order(.caseInsensitive, "a", "B") == -1)
        #expect(TextMatching.order(.caseInsensitive, "[", "a") == -1)
        #expect(TextMatching.order(.caseInsensitive, "abc", "ab") == 1)
    }

    @Test("the localized order puts accents next to their letters")
    func localized() {
        #expect(TextMatching.order(.localized, "é", "f") == -1)
        #expect(TextMatching.order(.localized, "e", "é") == -1)
        #expect(TextMatching.order(.localized, "a", "a") == 0)
        #expect(TextMatching.order(.localized, "z", "é") == 1)
    }
}
