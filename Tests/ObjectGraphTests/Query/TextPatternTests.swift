import Foundation
import Testing

@testable import ObjectGraph

@Suite("Patterns and folding of texts")
struct TextPatternTests {
    @Test(
        "LIKE: ? is one character, * any number, a backslash escapes them",
        arguments: [
            ("abc", "abc", true), ("abc", "ABC", false), ("abc", "a?c", true), ("abc", "a??c", false),
            ("abc", "*", true), ("", "*", true), ("", "", true), ("", "?", false), ("abc", "", false),
            ("abcabc", "*abc", true), ("abcab", "*abc", false), ("aXbXc", "a*b*c", true), ("a*c", "a\\*c", true),
            ("abc", "a\\*c", false), ("a\\c", "a\\\\c", true), ("a\\", "a\\", true), ("Zoë", "Zo?", true),
            ("👩‍👧", "?", true), ("e\u{301}", "?", true), ("é", "e\u{301}", false), ("a\r\nb", "a?b", true),
            ("aé", "*é", true),
        ])
    func like(text: String, pattern: String, expected: Bool) {
        #expect(TextMatching.test(.like, text, pattern) == expected)
        #expect(TextMatching.isLikeByCharacters(text, pattern) == expected)
    }

    @Test("LIKE by bytes is LIKE by characters, for every short text and pattern")
    func fastLike() {
        func all(_ letters: String, upTo length: Int) -> [String] {
            (0..<length).reduce([[""]]) { words, _ in
                words + [words[words.count - 1].flatMap { word in letters.map { word + String($0) } }]
            }.flatMap { $0 }
        }
        for text in all("ab*\\", upTo: 4) {
            for pattern in all("a*?\\", upTo: 4) {
                let expected = TextMatching.isLikeByCharacters(text, pattern)
                if TextMatching.isLike(text, pattern) != expected {
                    Issue.record("\(text.debugDescription) LIKE \(pattern.debugDescription) is \(expected)")
                }
            }
        }
    }

    @Test("LIKE with many stars takes no exponential time")
    func patience() {
        let text = String(repeating: "a", count: 3_000)
        #expect(!TextMatching.test(.like, text, String(repeating: "a*", count: 300) + "b"))
        #expect(!TextMatching.test(.like, text + "é", String(repeating: "a*", count: 100) + "b"))
    }

    @Test("MATCHES must match the whole text, in ICU's syntax; a malformed expression matches nothing")
    func matches() {
        #expect(TextMatching.test(.matchesPattern, "abc", "[a-c]+"))
        #expect(TextMatching.test(.matchesPattern, "ab", "a|ab"))
        #expect(!TextMatching.test(.matchesPattern, "abcd", "[a-c]+"))
        #expect(!TextMatching.test(.matchesPattern, "abc\n", "abc"))
        #expect(TextMatching.test(.matchesPattern, "Zoë", "\\p{L}{3}"))
        #expect(!TextMatching.test(.matchesPattern, "ABC", "abc"))
        #expect(TextMatching.test(.matchesPatternIgnoringCase, "ABC", "abc"))
        #expect(!TextMatching.test(.matchesPatternIgnoringCase, "A1", "\\D+"))
        for broken in ["(", "a)|(b", "[", "*", "a{2,1}"] {
            #expect(!TextMatching.isPattern(broken))
            #expect(!TextMatching.test(.matchesPattern, "a", broken))
        }
    }

    @Test("folding makes texts equal that differ in ignored characteristics, and no others")
    func folding() {
        #expect(TextFolding.case.apply("ÉX") == "éx")
        #expect(TextFolding.case.apply("E\u{301}") == TextFolding.case.apply("é"))
        #expect(TextFolding.diacritics.apply("Éx") == "Ex")
        #expect(TextFolding.caseAndDiacritics.apply("ÀÉÎ") == "aei")
        #expect(TextFolding.case.apply("é") != TextFolding.case.apply("e"))
        #expect(TextFolding.diacritics.apply("ABC") == "ABC")
    }

    @Test("functions have no result for nil, other kinds, and values out of range")
    func functions() {
        #expect(ScalarFunction.squareRoot.apply([.integer(16)]) == .real(4))
        #expect(ScalarFunction.squareRoot.apply([.integer(-1)]) == .null)
        #expect(ScalarFunction.power.apply([.integer(2), .real(0.5)]) == .real(2.0.squareRoot()))
        #expect(ScalarFunction.absolute.apply([.integer(.min)]) == .null)
        #expect(ScalarFunction.absolute.apply([.integer(-3)]) == .integer(3))
        #expect(ScalarFunction.floor.apply([.real(-1.5)]) == .real(-2))
        #expect(ScalarFunction.floor.apply([.text("1")]) == .null)
        #expect(ScalarFunction.shiftLeft.apply([.integer(1), .integer(100)]) == .integer(0))
        #expect(ScalarFunction.bitAnd.apply([.real(6.9), .integer(3)]) == .integer(2))
        #expect(ScalarFunction.complement.apply([.integer(0)]) == .integer(-1))
        for function in ScalarFunction.allCases {
            #expect(function.apply(Array(repeating: .null, count: function.argumentCount)) == .null)
            #expect(function.apply([]) == .null)
        }
    }
}
