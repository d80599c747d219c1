import Foundation
import TestSupport
import Testing

@testable import ObjectGraph

/// The table of Latin letters compared with Foundation.
@Suite("The order of texts in Latin letters")
struct LatinTextOrderTests {
    private static let locales = [
        "en_US", "en_GB", "en_001", "de_DE", "fr_FR", "fr_CA", "it_IT", "pt_BR", "nl_NL", "id_ID", "ja_JP", "ko_KR",
        "ru_RU", "zh_CN",
    ]
    private static let alphabets = [
        "aAbB019 -", "0123456789a", String(String.UnicodeScalarView((32..<127).compactMap(UnicodeScalar.init))),
        "aAäÄàÀeéÉè1 zß", String(String.UnicodeScalarView((0xC0..<0x250).compactMap(UnicodeScalar.init))) + "aAeEoO1",
        "ae\u{301}é\u{308}1я漢\n\0",
    ].map { Array($0.unicodeScalars) }

    private func text(_ alphabet: [UnicodeScalar], _ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<random.roll(7) { text.unicodeScalars.append(alphabet[random.roll(alphabet.count)]) }
        return text
    }

    private func order(_ latin: LatinTextOrder, _ a: String, _ b: String) -> Int? {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        return a.withUnsafeBufferPointer { left in b.withUnsafeBufferPointer { latin.order(left, $0) } }
    }

    @Test("An order decided by the table is the same in Foundation", arguments: locales)
    func agreement(identifier: String) throws {
        let locale = Locale(identifier: identifier)
        let latin = try #require(LatinTextOrder(locale))
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SeededGenerator(seed: seed)
        var decided = 0
        for alphabet in Self.alphabets {
            for _ in 0..<400 {
                let first = text(alphabet, &random)
                let start = random.roll(2) == 0 ? "" : String(first.prefix(2))
                let second = start + text(alphabet, &random)
                guard let decision = order(latin, first, second) else { continue }
                decided += 1
                let expected = TextMatching.localizedStandardReference(first, second, locale)
                #expect(decision == expected, "\(first.debugDescription) \(second.debugDescription), seed \(seed)")
            }
        }
        #expect(decided > 1000)
    }

    @Test("Languages that order letters, or pairs of letters, differently have no table")
    func otherLanguages() {
        for identifier in ["sv_SE", "da_DK", "cs_CZ", "hu_HU", "tr_TR", "et_EE", "es_ES", "en_US_POSIX"] {
            #expect(LatinTextOrder(Locale(identifier: identifier)) == nil, "\(identifier)")
        }
    }

    @Test("Texts that only Foundation can order are left to it")
    func undecided() throws {
        let latin = try #require(LatinTextOrder(Locale(identifier: "en_US")))
        #expect(order(latin, "é", "e") == nil)
        #expect(order(latin, "e", "e\u{301}") == nil)
        #expect(order(latin, "я", "a") == nil)
        #expect(order(latin, "Éa", "eb") == -1)
        #expect(order(latin, "file 10", "File 9") == 1)
        #expect(order(latin, "123456789012345678901234567890", "0123456789012345678901234567891") == -1)
    }
}
