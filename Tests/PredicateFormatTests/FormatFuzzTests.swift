import Foundation
import TestSupport
import Testing

@testable import ObjectGraph
@testable import PredicateFormat

/// Damaged texts. `OPENSWIFTDATA_FUZZ_COUNT` sets their number; `OPENSWIFTDATA_SEED` which.
@Suite("Damaged predicate formats")
struct FormatFuzzTests {
    private static let count = Seeds.damagedInputs(4_000)

    private static let samples = [
        #"name BEGINSWITH[cd] "Ré" AND age BETWEEN {1, 0x1F} OR NOT (owner.name LIKE 'A*?')"#,
        #"ANY animals.owner.animals.age + 2 ** 3 >= TERNARY(age == 1, 2.5e3, -4)"#,
        #"SUBQUERY(animals, $x, $x.age > 2 AND NONE $x.owner.animals.name == 'Rex').@count != 0"#,
        #"CAST(FUNCTION(now(), 'dateByAddingTimeInterval:', -86400), "NSNumber") / 2 < @sum.animals.age"#,
        #"name MATCHES '\\w+\\d*' && tags[FIRST] IN (a UNION {'x', nil, $v := 3})"#,
        #"entity.name == "Dog" OR SELF IN %@ OR %K <> %d OR objectID == 'x-coredata://S/Animal/p3'"#,
        #"length(uppercase:(nick)) =< abs(-age %% 3) AND #and.in == YES"#,
        #"ANY tags UTI-CONFORMS-TO 'public.image' OR FETCH(FUNCTION($m, 'a:', 1), $m.sourceContext, NO) UTI-EQUALS name"#,
    ]

    private static let pieces = [
        "(", ")", "[", "]", "{", "}", "'", "\"", "\\", "%", "%@", "%K", "$", "@", "#", ".", ",", "NOT ", "ANY ",
        " AND ",
        " IN ", "SUBQUERY(", "CAST(", "**", ":=", "\u{0}", "é", "👩‍👧", "\n", "0x", "1e", "99999999999999999999", "-",
        "name", "animals", "owner.", "@count", "nil", "=", "!", "MATCHES '('", " UTI-", "-TO ", "FETCH(",
    ]

    @Test("every text is parsed, or refused with a position; the process never traps")
    func mutations() throws {
        var random = SeededGenerator(seed: Seeds.base &* 1_000_003)
        let zoo = try QueryZoo()
        let (animal, evaluator) = (zoo.model[0], QueryEvaluator(zoo))
        let rex = try zoo.add("Dog", ["name": .text("Rex"), "age": .integer(3)])
        let ann = try zoo.add("Owner", ["name": .text("Ann")])
        try zoo.give([rex], to: ann)
        var read = 0
        for number in 0..<Self.count {
            let text = mutated(&random)
            let context = Comment(rawValue: "seed \(Seeds.base), text \(number): \(text.debugDescription)")
            do throws(FormatError) {
                let format = try PredicateFormat(
                    parsing: text, arguments: [.constant(.list([])), .constant(.text("age"))])
                read += 1
                check(format, text, context)
                _ = FormatEvaluator().test(format.predicate, of: ["name": "Rex", "age": 3] as [String: Any])
                if let expression = try? format.expression(on: animal, in: zoo.model) {
                    _ = try? evaluator.test(expression, root: rex)
                }
            } catch {
                #expect(error.position >= 0 && error.position <= text.count, context)
            }
        }
        #expect(read > 0, "seed \(Seeds.base): not one text was read")
    }

    /// A printed predicate is parsed to the same predicate, and printed again the same.
    private func check(_ format: PredicateFormat, _ text: String, _ context: Comment) {
        let once = format.description
        do {
            let again = try PredicateFormat(parsing: once)
            #expect(again.description == once, context)
        } catch {
            #expect(error.reason == .tooDeep(limit: FormatParser.depthLimit), context)
        }
    }

    private func mutated(_ random: inout SeededGenerator) -> String {
        var bytes = Array((Self.samples.randomElement(using: &random) ?? "").unicodeScalars)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: if place < bytes.count { bytes.remove(at: place) }
            case 1:
                let piece = Self.pieces.randomElement(using: &random) ?? ""
                bytes.insert(contentsOf: piece.unicodeScalars, at: place)
            case 2:
                let end = min(bytes.count, place + Int.random(in: 0..<12, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0..<9, using: &random)))
            default:
                let other = Array((Self.samples.randomElement(using: &random) ?? "").unicodeScalars)
                bytes = Array(bytes.prefix(place)) + other.suffix(Int.random(in: 0...other.count, using: &random))
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: bytes)
        return String(text)
    }
}
