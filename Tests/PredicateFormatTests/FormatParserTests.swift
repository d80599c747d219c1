import Foundation
import Testing

@testable import ObjectGraph
@testable import PredicateFormat

@Suite("Parsing and printing the predicate format language")
struct FormatParserTests {
    private func written(_ text: String, _ arguments: Any?...) throws -> String {
        try PredicateFormat(parsing: text, arguments: arguments.map { FormatArgument($0) }).description
    }

    @Test(
        "a predicate is printed in one form",
        arguments: [
            ("name == 'x' AND age > 3", #"name == "x" AND age > 3"#),
            ("name='x'&&age=>3||b=<2", #"(name == "x" AND age >= 3) OR b <= 2"#),
            ("not (a == 1 and b == 2)", "NOT (a == 1 AND b == 2)"),
            ("NOT a == 1", "NOT a == 1"),
            ("! a <> 1 AND b == 2", "(NOT a != 1) AND b == 2"),
            ("a == 1 AND (b == 2 OR c == 3) AND d == 4", "a == 1 AND (b == 2 OR c == 3) AND d == 4"),
            ("ANY a.b == 1", "ANY a.b == 1"),
            ("SOME a.b == 1", "ANY a.b == 1"),
            ("NONE a.b == 1", "NOT ANY a.b == 1"),
            ("ALL a.b == 1", "ALL a.b == 1"),
            ("name ==[cd] 'é'", #"name ==[cd] "é""#),
            ("name CONTAINS [C] 'x'", #"name CONTAINS[c] "x""#),
            ("name beginswith[n] 'x'", #"name BEGINSWITH[n] "x""#),
            ("name LIKE '*?\\''", #"name LIKE "*?'""#),
            ("name MATCHES '\\d+'", #"name MATCHES "\\d+""#),
            ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"),
            ("a IN {1, 2.5, 'x', nil}", #"a IN {1, 2.5, "x", nil}"#),
            ("a == YES AND b == FALSE AND c == NULL", "a == 1 AND b == 0 AND c == nil"),
            ("TRUEPREDICATE OR falsepredicate", "TRUEPREDICATE OR FALSEPREDICATE"),
            ("SUBQUERY(items, $i, $i.n > 2).@count > 0", "SUBQUERY(items, $i, $i.n > 2).@count > 0"),
            ("SELF == 5", "SELF == 5"),
            ("SELF.name == 'x'", #"SELF.name == "x""#),
            ("date > CAST(123, 'NSDate')", #"date > CAST(123.000000, "NSDate")"#),
            ("a + b * c == (a + b) * c", "a + b * c == (a + b) * c"),
            ("a - (b - c) == a - b - c", "a - (b - c) == a - b - c"),
            ("2 ** 3 == -a", "2 ** 3 == 0 - a"),
            ("-5 == - 5.0", "-5 == -5"),
            ("0x1F == 0o17 AND 0b11 == 1e3", "31 == 15 AND 3 == 1000"),
            ("a[0] == b[FIRST] AND c[SIZE] == 2", "a[0] == b[FIRST] AND c[SIZE] == 2"),
            ("TERNARY(a == 1, 2, 3) == 2", "TERNARY(a == 1, 2, 3) == 2"),
            ("FUNCTION(a, 'length') == 1", #"FUNCTION(a, "length") == 1"#),
            ("sum(a.b) == count:(a)", "sum:(a.b) == count:(a)"),
            ("add:to:(1, 2) == 3", "1 + 2 == 3"),
            ("a %% 2 == 1", "modulus:by:(a, 2) == 1"),
            ("now() > date", "now() > date"),
            ("a UNION b == c MINUS d", "a UNION b == c MINUS d"),
            ("#and == 1 AND a.in == 2", "#and == 1 AND a.in == 2"),
            ("@sum.items.price < 1000", "@sum.items.price < 1000"),
            ("items.@count == 2", "items.@count == 2"),
            ("$x := 5 == 5", "$x := 5 == 5"),
            ("(a) == (((1)))", "a == 1"),
            ("größe == 1", "größe == 1"),
            ("cast == 1 AND function == 2", "#cast == 1 AND function == 2"),
            ("a uti-conforms-to 'public.image'", #"a UTI-CONFORMS-TO "public.image""#),
            ("NOT ANY a.b UTI-EQUALS 'x'", #"NOT ANY a.b UTI-EQUALS "x""#),
            ("uti - equals == uti-conforms - 1", "uti - equals == uti - conforms - 1"),
            ("fetch($r, $x.context, NO) == nil", "FETCH($r, $x.context, NO) == nil"),
            ("FETCH(a, b, YES) > 1 AND fetch == 2", "FETCH(a, b, YES) > 1 AND #fetch == 2"),
        ])
    func canonical(text: String, expected: String) throws {
        let once = try written(text)
        #expect(once == expected)
        #expect(try written(once) == once)
    }

    @Test("arguments are used as values, and never parsed as part of the language")
    func arguments() throws {
        #expect(try written("name == %@", "x' OR TRUEPREDICATE") == #"name == "x' OR TRUEPREDICATE""#)
        #expect(try written("%K == %@", "owner.name", "x") == #"owner.name == "x""#)
        #expect(try written("%K.%K == 1", "owner", "name") == "owner.name == 1")
        #expect(try written("name == '%@'") == #"name == "%@""#)
        #expect(
            try written("a == %d AND b == %lld AND c == %f AND d == %lu", 1, 2, 3.5, 4)
                == "a == 1 AND b == 2 AND c == 3.5 AND d == 4")
        #expect(try written("a == %c", "x") == #"a == "x""#)
        #expect(try written("a IN %@", [1, 2]) == "a IN {1, 2}")
        #expect(try written("a == %@", nil) == "a == nil")
        #expect(try written("a == %@", true) == "a == 1")
        #expect(
            try written("a == %@", Date(timeIntervalSinceReferenceDate: 123)) == #"a == CAST(123.000000, "NSDate")"#)
        #expect(try written("a == %@", NSNumber(value: 2.5)) == "a == 2.5")
        #expect(try written("a == %@ AND b == 1", NSString(string: "x")) == #"a == "x" AND b == 1"#)
        let name = FormatArgument.expression(.keyPath("name"))
        let wrapped = try PredicateFormat(parsing: "%@ == 1", arguments: [name])
        #expect(wrapped.description == "name == 1")
    }

    @Test("placeholders may have the number of their argument, between others that take the next one")
    func numberedArguments() throws {
        #expect(try written("%2$K == %1$@", "x", "name") == #"name == "x""#)
        #expect(try written("a == %1$d OR b == %1$d", 3) == "a == 3 OR b == 3")
        #expect(try written("%K == %3$@ AND b == %d AND c == %1$@", "a", 2, 5) == #"a == 5 AND b == 2 AND c == "a""#)
        #expect(try written("a == 7 %% 2 AND %1$K.%2$K == nil", "b", "c") == "a == modulus:by:(7, 2) AND b.c == nil")
    }

    @Test("constants without a literal are printed as casts, and parsed again")
    func constants() throws {
        let id = ObjectID(space: .intern(storeIdentifier: "S", entityName: "Animal"), key: 7)
        let uuid = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))
        let values: [FormatConstant] = [
            .uuid(uuid), .bytes(Data([1, 2])), .url("https://a.example/x"), .reference(id),
            .date(700_000_000.123456789),
        ]
        for value in values {
            let text = try written("a == %@", value)
            let predicate = try PredicateFormat(parsing: text).predicate
            guard case .comparison(let comparison) = predicate else {
                Issue.record("\(text) is no comparison")
                continue
            }
            #expect(comparison.right == .constant(value), "\(text)")
        }
    }

    @Test(
        "an error has a position and a reason",
        arguments: [
            ("", 0, "found the end where a value is expected"),
            ("name", 0, "a condition is wanted here; compare this with something"),
            ("name ==", 7, "found the end where a value is expected"),
            ("name == 'x", 8, "this text has no closing quotation mark"),
            ("name == 'é' AND", 15, "found the end where a value is expected"),
            ("a == 1 b == 2", 7, "found 'b' where the end or an operator is expected"),
            ("a == 12x", 5, "this number cannot be read"),
            ("a ==[x] 1", 5, "options after an operator are letters of 'cdnl' in brackets"),
            ("(a == 1", 7, "found the end where ')' is expected"),
            ("frobnicate(a) == 1", 0, "there is no function 'frobnicate'"),
            ("sqrt(1, 2) == 1", 0, "'sqrt' takes 1 arguments, not 2"),
            ("a == %@", 5, "argument 1 is missing"),
            ("a == %2$@", 5, "argument 2 is missing"),
            ("a == %0$@", 5, "this placeholder is not known; use %@, %K, or one for numbers such as %d or %f"),
            (
                "a == %99999999999999999999$@", 5,
                "this placeholder is not known; use %@, %K, or one for numbers such as %d or %f"
            ),
            ("a == %1@", 5, "this placeholder is not known; use %@, %K, or one for numbers such as %d or %f"),
            ("a == %y", 5, "this placeholder is not known; use %@, %K, or one for numbers such as %d or %f"),
            ("a ; b", 2, "this character means nothing here; put texts in quotation marks"),
            ("a UTI-SOMETHING 'x'", 2, "found 'UTI' where the end or an operator is expected"),
            (
                "UTI-EQUALS 'x'", 0,
                "found 'UTI-EQUALS' where a value (write #UTI-EQUALS for a property of that name) is expected"
            ),
            ("(a == 1) == 2", 0, "a value is wanted here, not a condition"),
            ("a AND b == 1", 0, "a condition is wanted here; compare this with something"),
            ("AND", 0, "found 'AND' where a value (write #AND for a property of that name) is expected"),
        ])
    func errors(text: String, position: Int, reason: String) {
        do {
            let predicate = try PredicateFormat(parsing: text)
            Issue.record("'\(text)' was read as \(predicate)")
        } catch {
            #expect(error.position == position, "\(text): \(error)")
            #expect(error.reason.description == reason, "\(text)")
        }
    }

    @Test("arguments of the wrong kind are errors")
    func wrongArguments() {
        for (text, argument) in [("a == %d", "x" as Any), ("%K == 1", 5), ("a == %c", "xy"), ("%K == 1", "")] {
            #expect(throws: FormatError.self) { try written(text, argument) }
        }
    }

    @Test("every kind of nesting has a limit, below which it is parsed")
    func depth() throws {
        let limit = FormatParser.depthLimit
        let pieces: [(open: String, middle: String, close: String)] = [
            ("(", "a == 1", ")"), ("NOT ", "a == 1", ""), ("-", "a", " == 1"), ("{", "", "} == a"), ("abs(", "1", ")"),
            ("SUBQUERY(", "a, $x, a == 1", ")"), ("a[", "0", "]"), ("1 + ", "1", ""), ("", "1", " * 2"),
            ("", "a", "[0]"),
            ("", "SELF", "[0].a"),
        ]
        for (open, middle, close) in pieces {
            let deep = String(repeating: open, count: 100_000) + middle + String(repeating: close, count: 100_000)
            do {
                let format = try PredicateFormat(parsing: deep)
                Issue.record("read \(format.description.count) characters of '\(open)…\(close)'")
            } catch {
                #expect(error.reason == .tooDeep(limit: limit), "\(open)…\(close): \(error)")
            }
        }
        let fine = String(repeating: "(", count: limit) + "a == 1" + String(repeating: ")", count: limit)
        #expect(try written(fine) == "a == 1")
        let long = Array(repeating: "a == 1", count: 20_000).joined(separator: " AND ")
        #expect(try written(long).count == long.count)
    }

    @Test("deep texts can be parsed on a small stack")
    func smallStack() throws {
        let result = Locked<[String]>([])
        let finished = DispatchSemaphore(value: 0)
        let thread = Thread {
            defer { finished.signal() }
            let limit = FormatParser.depthLimit
            let texts = [
                String(repeating: "(", count: limit) + "a == 1" + String(repeating: ")", count: limit),
                String(repeating: "NOT ", count: limit - 2) + "a == 1",
                String(repeating: "abs(", count: limit - 2) + "1" + String(repeating: ")", count: limit - 2) + " == 1",
                String(repeating: "TERNARY(a == ", count: limit / 2 - 2) + "1"
                    + String(repeating: ", 1, 2)", count: limit / 2 - 2) + " == 1",
            ]
            let written = texts.map { text in
                (try? PredicateFormat(parsing: text)).map { "\($0.description.count) \($0.hashValue != 0)" } ?? "none"
            }
            result.withLock { $0 = written + ["done"] }
        }
        // Unoptimized code needs four times the space. Threads have eight megabytes by default.
        #if DEBUG
        thread.stackSize = 2048 * 1024
        #else
        thread.stackSize = 512 * 1024
        #endif
        thread.start()
        finished.wait()
        #expect(result.withLock { $0 }.last == "done")
    }

    @Test("parsing takes time linear to the text")
    func linear() throws {
        func seconds(_ count: Int) throws -> Double {
            let text = Array(repeating: "(name CONTAINS[cd] 'é' OR a.b + 1 > 2)", count: count).joined(
                separator: " AND ")
            let clock = ContinuousClock()
            let best =
                try (0..<3).map { _ in
                    try clock.measure { _ = try PredicateFormat(parsing: text) }
                }.min() ?? .zero
            return Double(best.components.attoseconds) / 1e18 + Double(best.components.seconds)
        }
        let small = try seconds(500)
        let large = try seconds(5_000)
        #expect(large < small * 60, "500 parts take \(small) s, ten times as many \(large) s")
    }
}
