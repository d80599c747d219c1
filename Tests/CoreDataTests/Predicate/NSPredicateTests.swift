import CoreData
import Foundation
import Testing

@Suite("NSPredicate")
struct NSPredicateTests {
    private let people: [[String: Any]] = [
        ["name": "Ann", "age": 31, "tags": ["a", "b"]], ["name": "bob", "age": 17, "tags": [String]()], ["name": "Él"],
    ]

    private func names(_ predicate: NSPredicate) -> [String] {
        people.filter { predicate.evaluate(with: $0) }.compactMap { $0["name"] as? String }
    }

    @Test("a format with arguments is parsed, and printed")
    func format() {
        let predicate = NSPredicate(format: "name BEGINSWITH[c] %@ AND age > %d", "a", 17)
        #expect(predicate.formatText == "name BEGINSWITH[c] \"a\" AND age > 17")
        #expect(predicate.description == predicate.formatText)
        #expect(FormatOf.text(predicate) == predicate.formatText)
        #expect(names(predicate) == ["Ann"])
        let fromArray = NSPredicate(format: "%K == %@ OR age == %@", argumentArray: ["name", "bob", NSNull()])
        #expect(fromArray.formatText == "name == \"bob\" OR age == nil")
        #expect(names(fromArray) == ["bob", "Él"])
    }

    @Test("a format makes an object of the class that fits it")
    func classes() throws {
        let comparison = try #require(NSPredicate(format: "ANY tags ==[c] 'A'") as? NSComparisonPredicate)
        #expect(comparison.predicateOperatorType == .equalTo)
        #expect(comparison.comparisonPredicateModifier == .any)
        #expect(comparison.options == .caseInsensitive)
        #expect(comparison.leftExpression.keyPath == "tags")
        #expect(comparison.rightExpression.constantValue as? String == "A")
        let compound = try #require(NSPredicate(format: "a == 1 OR b == 2") as? NSCompoundPredicate)
        #expect(compound.compoundPredicateType == .or)
        #expect(compound.subpredicates.map(\.formatText) == ["a == 1", "b == 2"])
        #expect((NSPredicate(format: "NOT a == 1") as? NSCompoundPredicate)?.compoundPredicateType == .not)
        #expect(!(NSPredicate(format: "TRUEPREDICATE") is NSCompoundPredicate))
    }

    @Test("types are compared by identifier, and by conformance")
    func types() throws {
        let items: [[String: Any]] = [
            ["types": ["public.png", "com.example.note"]], ["types": ["com.adobe.pdf"]],
            ["types": ["com.example.note"]],
        ]
        func matching(_ format: String) -> [Int] {
            let predicate = NSPredicate(format: format)
            return items.indices.filter { predicate.evaluate(with: items[$0]) }
        }
        #expect(matching("ANY types UTI-CONFORMS-TO 'public.image'") == [0])
        #expect(matching("ANY types UTI-CONFORMS-TO 'public.Content'") == [0, 1])
        #expect(matching("ALL types UTI-EQUALS 'COM.example.note'") == [2])
        #expect(matching("NONE types UTI-CONFORMS-TO 'public.item'") == [2])
        #expect(matching("SUBQUERY(types, $t, $t UTI-CONFORMS-TO 'public.data').@count == types.@count") == [1])
        #expect(matching("types UTI-CONFORMS-TO 'public.data'").isEmpty, "a list is no identifier")
        let predicate = NSPredicate(format: "type UTI-EQUALS %@", "public.png")
        #expect(predicate.formatText == "type UTI-EQUALS \"public.png\"")
        #expect((predicate as? NSComparisonPredicate)?.predicateOperatorType == .customSelector)
    }

    @Test("predicates are composed of parts")
    func parts() {
        let old = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "age"), rightExpression: NSExpression(forConstantValue: 18),
            modifier: .direct, type: .greaterThanOrEqualTo)
        #expect(old.formatText == "age >= 18")
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [old, NSPredicate(format: "name != 'x'")])
        #expect(both.formatText == "age >= 18 AND name != \"x\"")
        #expect(
            NSCompoundPredicate(notPredicateWithSubpredicate: both).formatText == "NOT (age >= 18 AND name != \"x\")")
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: []).evaluate(with: nil) == false)
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).evaluate(with: nil))
        #expect(names(both) == ["Ann"])
    }

    @Test("a malformed text is an error, or a predicate that is always false")
    func malformed() throws {
        let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(validating: "name == 'x") }
        #expect(error?.position == 8)
        #expect(error?.description.hasPrefix("Unable to parse the format string \"name == 'x\"") == true)
        #expect(try NSPredicate(validating: "name == %@", arguments: ["x"]).formatText == "name == \"x\"")
        let broken = NSPredicate(format: "name ==")
        #expect(!broken.evaluate(with: ["name": "x"]))
        #expect(broken.formatText == "name ==")
    }

    @Test("variables are substituted before or during evaluation")
    func variables() {
        let predicate = NSPredicate(format: "age > $LIMIT AND SUBQUERY(tags, $x, $x == $TAG).@count == 1")
        #expect(predicate.evaluate(with: people[0], substitutionVariables: ["LIMIT": 30, "TAG": "a"]))
        #expect(!predicate.evaluate(with: people[0], substitutionVariables: ["LIMIT": 31, "TAG": "a"]))
        let bound = predicate.withSubstitutionVariables(["LIMIT": 30, "TAG": "a", "x": 5])
        #expect(bound.formatText == "age > 30 AND SUBQUERY(tags, $x, $x == \"a\").@count == 1")
        #expect(bound.evaluate(with: people[0]))
    }

    @Test("Foundation's collections can be filtered by it")
    func collections() {
        let even = NSPredicate(format: "modulus:by:(SELF, 2) == 0")
        #expect(NSArray(array: [1, 2, 3, 4]).filtered(using: even).compactMap { $0 as? Int } == [2, 4])
        let set = NSMutableSet(array: [1, 2, 3])
        set.filter(using: even)
        #expect(set.count == 1)
        let mutable = NSMutableArray(array: [1, 2, 3])
        mutable.filter(using: even)
        #expect(mutable.count == 1)
    }

    @Test("blocks are evaluated, and Foundation's own predicates may be parts")
    func blocks() {
        let block = NSPredicate { object, variables in object as? Int == variables?["x"] as? Int }
        #expect(block.evaluate(with: 5, substitutionVariables: ["x": 5]))
        #expect(!block.evaluate(with: 6, substitutionVariables: ["x": 5]))
        let foreign = Foundation.NSPredicate { object, _ in object as? String == "x" }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [foreign, NSPredicate(value: true)])
        #expect(both.evaluate(with: "x"))
        #expect(!both.evaluate(with: "y"))
    }

    @Test("predicates of the same format are equal, and survive archiving")
    func equality() throws {
        let first = NSPredicate(format: "name ==[cd] %@ AND when > %@", "é", Date(timeIntervalSinceReferenceDate: 5))
        let second = NSPredicate(format: "name ==[cd] 'é' && when > %@", Date(timeIntervalSinceReferenceDate: 5))
        #expect(first == second)
        #expect(first.hash == second.hash)
        #expect(first != NSPredicate(format: "name == 'é'"))
        #expect((first.copy() as? NSPredicate) == first)
        let data = try NSKeyedArchiver.archivedData(withRootObject: first, requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSPredicate.self], from: data) as? NSPredicate)
        #expect(read.formatText == first.formatText)
    }

    private func archived(_ predicate: NSPredicate) throws -> NSPredicate? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
    }

    @Test("values that the printed text does not show exactly survive archiving, too")
    func unsaidInArchives() throws {
        let digits = try #require(Decimal(string: "0.12345678901234567890123"))
        let rows: [[String: Any]] = [
            ["a": 5], ["a": Double.infinity], ["a": digits], ["first-name": 1, "a": 2], ["x": ["a b": 1]], [:],
        ]
        let predicates = [
            NSPredicate(format: "a < %@", NSNumber(value: Double.infinity)),
            NSPredicate(format: "a IN %@", [5, NSNumber(value: -Double.infinity)]),
            NSPredicate(format: "a != nil AND a != %@", NSNumber(value: Double.nan)),
            NSPredicate(format: "a == %@", NSDecimalNumber(decimal: digits)),
            NSPredicate(format: "a < %@", Date(timeIntervalSinceReferenceDate: .infinity)),
            NSPredicate(format: "%K == 1 AND a == %d", "first-name", 2), NSPredicate(format: "x.%K == 1", "a b"),
            NSPredicate(format: "SELF.%K == 1", "first-name"),
            NSPredicate(format: "%K.@count == nil AND a / 2.0 == 2.5", "a b"),
            NSPredicate(format: "a == %@", "%@ %K %d"),
        ]
        for predicate in predicates {
            let read = try #require(try archived(predicate), "\(predicate.formatText)")
            #expect(read.formatText == predicate.formatText)
            for row in rows {
                #expect(
                    read.evaluate(with: row) == predicate.evaluate(with: row), "\(predicate.formatText) of \(row)")
            }
        }
    }

    @Test("key paths of every form survive archiving")
    func keyPathsInArchives() throws {
        let texts = [
            "SELF.name == 1", "a.b.@count > 0", "ANY a.b.c == 1", "#in == 1", "@count > 0", "a.@sum.b == 1",
            "self.name == 1", "SUBQUERY(a, $x, $x.b.c == 1).@count > 0", "a[0].b == 1", "$x.y == -1.5",
            "\u{e4}b == 1", "SELF == 1", "_a1 == 1", "a.in.or == TRUE",
        ]
        for text in texts {
            let predicate = NSPredicate(format: text)
            #expect(try archived(predicate) == predicate, "\(text)")
        }
    }

    @Test("compounds made by calls, and constants, survive archiving")
    func madeByCalls() throws {
        let (one, other) = (NSPredicate(format: "SELF > 1"), NSPredicate(format: "SELF < 5"))
        let made: [NSPredicate] = [
            NSCompoundPredicate(andPredicateWithSubpredicates: [one, other]),
            NSCompoundPredicate(orPredicateWithSubpredicates: [one, NSPredicate(value: true)]),
            NSCompoundPredicate(notPredicateWithSubpredicate: one),
            NSCompoundPredicate(andPredicateWithSubpredicates: []),
            NSCompoundPredicate(orPredicateWithSubpredicates: []),
            NSCompoundPredicate(orPredicateWithSubpredicates: [one]), NSPredicate(value: true),
            NSPredicate(value: false), one,
        ]
        for predicate in made {
            let read = try #require(try archived(predicate), "\(predicate.formatText)")
            #expect((read is NSCompoundPredicate) == (predicate is NSCompoundPredicate))
            #expect(read.formatText == predicate.formatText)
            for number in 0..<6 { #expect(read.evaluate(with: number) == predicate.evaluate(with: number)) }
        }
    }

    @Test("archiving a predicate with code throws; the process continues")
    func codeInArchives() {
        let block = NSPredicate { _, _ in true }
        let refused: [NSPredicate] = [
            block, NSCompoundPredicate(andPredicateWithSubpredicates: [block]),
            NSPredicate(format: "a == %@", NSObject()), NSPredicate(format: "a == 1 OR %@", block),
            NSComparisonPredicate(
                leftExpression: NSExpression(block: { _, _, _ in 1 }, arguments: nil),
                rightExpression: NSExpression(forConstantValue: 1), modifier: .direct, type: .equalTo),
            // A variable that no text can name.
            NSComparisonPredicate(
                leftExpression: NSExpression(forVariable: "a b"), rightExpression: NSExpression(forConstantValue: 1),
                modifier: .direct, type: .equalTo),
            NSPredicate(format: "a =="),
        ]
        for predicate in refused {
            let error = #expect(throws: CocoaError.self, "\(predicate.formatText)") { try archived(predicate) }
            #expect(error?.code == .coderInvalidValue)
        }
        #expect(throws: CocoaError.self, "within others") {
            try NSKeyedArchiver.archivedData(withRootObject: NSArray(array: [block]), requiringSecureCoding: true)
        }
    }

    @Test("a manipulated archive is not decoded as a predicate")
    func changedArchives() throws {
        for arguments in [[], ["real:x"], ["nothing"], ["key:"], ["other:1"]] as [[String]] {
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            archiver.encode(NSString(string: "%K == 1"), forKey: "format")
            archiver.encode(NSArray(array: arguments.map { NSString(string: $0) }), forKey: "arguments")
            let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
            reader.decodingFailurePolicy = .setErrorAndReturn
            #expect(NSPredicate(coder: reader) == nil, "\(arguments)")
        }
    }

    @Test("compounds nested too deep are false, and say why")
    func tooDeep() {
        let nested = { (levels: Int) in
            (0..<levels).reduce(NSPredicate(value: true)) { inner, _ in
                NSCompoundPredicate(andPredicateWithSubpredicates: [inner, NSPredicate(format: "SELF > 1")])
            }
        }
        #expect(NSPredicate(format: "SELF > 2 AND %@", nested(100)).evaluate(with: 3))
        let deep = nested(2000)
        #expect(!NSPredicate(format: "SELF > 2 AND %@", deep).evaluate(with: 3))
        #expect(deep.formatText.hasPrefix("("))
        #expect(NSPredicate(format: "%@ OR SELF == 1", deep) == NSPredicate(format: "%@ OR SELF == 1", nested(2000)))
    }

    @Test("equal sets are equal, in any iteration order")
    func sets() {
        for seed in 0..<20 {
            let numbers = (0..<12).map { $0 * 37 + seed }
            let (one, other) = (Set(numbers), NSMutableSet(capacity: 500))
            for number in numbers.reversed() { other.add(number) }
            #expect(NSPredicate(format: "SELF == %@", one).evaluate(with: other), "seed \(seed)")
            #expect(!NSPredicate(format: "SELF == %@", one).evaluate(with: Set(numbers.dropLast())), "seed \(seed)")
        }
        #expect(!NSPredicate(format: "SELF == %@", [1, 2]).evaluate(with: [2, 1]))
    }

    @Test("properties of Swift objects are read by name")
    func reflection() {
        class Base { let id = 7 }
        final class Person: Base {
            let name: String? = "Ann"
            let friends = [["name": "Bob"]]
        }
        #expect(NSPredicate(format: "name == 'Ann' AND id == 7").evaluate(with: Person()))
        #expect(NSPredicate(format: "ANY friends.name == 'Bob' AND friends.@count == 1").evaluate(with: Person()))
        #expect(NSPredicate(format: "nothing == nil").evaluate(with: Person()))
    }

    @Test("nil equals only nil, is never less or greater, and matches no text")
    func nils() {
        let object: [String: Any] = [:]
        #expect(NSPredicate(format: "x == nil").evaluate(with: object))
        #expect(NSPredicate(format: "x != 5").evaluate(with: object))
        for format in ["x < 5", "x >= 5", "x CONTAINS ''", "x LIKE '*'", "x MATCHES '.*'", "x BETWEEN {nil, 5}"] {
            #expect(!NSPredicate(format: format).evaluate(with: object), "\(format)")
        }
        #expect(!NSPredicate(format: "ANY x == 5").evaluate(with: object))
        #expect(NSPredicate(format: "NONE x == 5").evaluate(with: object))
    }
}

/// Reads Foundation's property without its warning.
private protocol Textual {
    var predicateFormat: String { get }
}

extension NSPredicate: Textual {}

private enum FormatOf {
    static func text(_ predicate: any Textual) -> String { predicate.predicateFormat }
}
