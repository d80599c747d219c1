import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import StoreInspection

@Suite("Values as text")
struct ValueTests {
    @Test("JSON survives a round trip: order, integers, all characters")
    func json() throws {
        let value = InspectedValue.fields([
            InspectedField("b", .integer(9_007_199_254_740_993)), InspectedField("a", .real(0.1)),
            InspectedField("text", "quote \" back \\ line\n tab\t null\u{0} é 漢 🦊 \u{2028}"),
            InspectedField("list", .list([.none, true, .list([]), .fields([])])), InspectedField("min", .integer(.min)),
        ])
        for form in [InspectedValue.JSONForm.compact, .indented] {
            #expect(try JSONReading.value(Data(value.json(form).utf8)) == value)
        }
        #expect(value.json().hasPrefix("{\"b\":9007199254740993,\"a\":0.1,"))
        let object = try JSONSerialization.jsonObject(with: Data(value.json().utf8)) as? [String: Any]
        #expect(object?["text"] as? String == "quote \" back \\ line\n tab\t null\u{0} é 漢 🦊 \u{2028}")
        #expect(InspectedValue.real(.infinity).json() == "\"inf\"")
    }

    @Test("JSON contains no raw control character")
    func controlCharacters() throws {
        for scalar in [0x1B, 0x7F, 0x80, 0x85, 0x9B, 0x9D, 0x9F].compactMap(Unicode.Scalar.init) {
            let text = "a\(scalar)b"
            let json = InspectedValue.fields([InspectedField(text, .text(text))]).json()
            #expect(!json.unicodeScalars.contains(scalar), "\(scalar.value)")
            #expect(try JSONReading.value(Data(json.utf8)) == .fields([InspectedField(text, .text(text))]))
        }
        #expect(InspectedValue.text("\u{A0}°é").json() == "\"\u{A0}°é\"")
    }

    @Test(
        "Malformed JSON is refused with its position, and never too deep",
        arguments: [
            ("", 0), ("{", 1), ("[1,", 3), ("{\"a\" 1}", 5), ("nul", 0), ("\"abc", 4), ("1 2", 2), ("[1 2]", 3),
            ("\"\\u12\"", 3), ("\"\\q\"", 3), ("\"a\u{1}\"", 3),
        ])
    func badJSON(text: String, offset: Int) throws {
        let error = try #require(throws: JSONReadingError.self) { try JSONReading.value(Data(text.utf8)) }
        #expect(error.offset == offset, "\(text): \(error)")
    }

    @Test("JSON nested without end, and random bytes, are errors")
    func hostileJSON() {
        #expect(throws: JSONReadingError.self) {
            try JSONReading.value(Data(String(repeating: "[", count: 100_000).utf8))
        }
        for seed in 0..<300 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let bytes = (0..<40).map { _ in
                Array("{}[]\",:0123456789eE+-.\\utrfalsn \u{0}é".utf8).randomElement(using: &generator) ?? 0
            }
            _ = try? JSONReading.value(Data(bytes))
        }
    }

    @Test("Escaped characters beyond the first plane, and lone surrogates, are read")
    func surrogates() throws {
        #expect(try JSONReading.value(Data("\"\\ud83e\\udd8a\"".utf8)) == "🦊")
        #expect(try JSONReading.value(Data("\"\\ud83e!\"".utf8)) == "\u{FFFD}!")
    }

    @Test("CSV survives a round trip: quotes, lines, separators, nil and the empty text apart")
    func csv() throws {
        let cells: [InspectedValue] = [
            "plain", "a,b", "say \"hi\"", "two\nlines", "", .none, " edge ", .integer(5), true,
        ]
        let line = InspectedValue.csvLine(cells)
        #expect(line == "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"\",,\" edge \",5,true")
        let read = try CSVReading.lines(line + "\r\n" + "second,,\n")
        #expect(
            read == [
                ["plain", "a,b", "say \"hi\"", "two\nlines", "", nil, " edge ", "5", "true"], ["second", nil, nil],
            ])
        #expect(try CSVReading.lines("") == [])
        #expect(try CSVReading.lines("\u{FEFF}a\n") == [["a"]])
    }

    @Test("Dates are written completely and read back to the same number")
    func dates() throws {
        #expect(DateText.exact(0) == "2001-01-01T00:00:00Z")
        #expect(DateText.exact(-63_113_904_000) == "0001-01-01T00:00:00Z")
        #expect(DateText.readable(730_823_399.5) == "2024-02-28 14:29:59")
        #expect(DateText.exact(.nan) == nil && DateText.exact(.infinity) == nil && DateText.exact(1e300) == nil)
        for seed in 0..<2000 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let seconds = Double.random(in: -3e9...3e9, using: &generator)
            let text = try #require(DateText.exact(seconds))
            #expect(DateText.seconds(text) == seconds, "seed \(seed): \(text)")
            let calendar = ISO8601DateFormatter().string(
                from: Date(timeIntervalSinceReferenceDate: seconds.rounded(.down)))
            #expect(text.prefix(19) == calendar.prefix(19), "seed \(seed)")
        }
        #expect(DateText.seconds("2001-01-01T02:00:00+02:00") == 0)
        #expect(DateText.seconds("2001-01-02") == 86_400)
        for bad in [
            "", "2001", "2001-13-01", "2001-01-01T25:00:00Z", "2001-01-01T00:00:00Zx", "now", "2001-01-01T00:00",
        ] {
            #expect(DateText.seconds(bad) == nil, "\(bad)")
        }
    }

    @Test("Amounts are formatted for people")
    func amounts() {
        #expect(
            Amounts.count(1_234_567) == "1,234,567" && Amounts.count(999) == "999" && Amounts.count(-1000) == "-1,000")
        #expect(Amounts.count(1, "row") == "1 row" && Amounts.count(2, "entity", "entities") == "2 entities")
        let sizes: [Int64] = [0, 1, 999, 1000, 1234, 99_499, 999_499, 999_500, 1_000_000, 5_000_000_000_000]
        #expect(
            sizes.map(Amounts.bytes) == [
                "0 bytes", "1 byte", "999 bytes", "1 kB", "1.2 kB", "99.5 kB", "999 kB", "1 MB", "1 MB", "5 TB",
            ])
    }

    @Test("Bytes are shown by their meaning")
    func bytes() throws {
        #expect(BytesText.readable(Data("[\"a\",1]".utf8)) == .list(["a", 1]))
        #expect(BytesText.readable(Data([0, 255, 16])) == "(3 bytes: 00 ff 10)")
        #expect(BytesText.readable(Data("{not json".utf8)) == "(9 bytes: 7b 6e 6f 74 20 6a 73 6f …)")
        let archived = try PropertyListSerialization.data(
            fromPropertyList: ["x": [1, 2], "y": "text"], format: .binary, options: 0)
        #expect(
            BytesText.readable(archived) == .fields([InspectedField("x", .list([1, 2])), InspectedField("y", "text")]))
    }
}
