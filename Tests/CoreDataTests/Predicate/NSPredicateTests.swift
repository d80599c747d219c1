import CoreData
import Foundation
import Testing

import class CoreData.NSComparisonPredicate

@Suite("NSPredicate")
struct NSPredicateTests {
    private let people: [[String: Any]] = [
        ["name": "Ann", "age": 31, "tags": ["a", "b"]], ["name": "bob", "age": 17, "tags": [String]()], ["name": "Él"],
    ]

    private func names(_ predicate: NSPredicate) -> [String] {
        people.filter { predicate.evaluate(with: $0) }.compactMap { $0["name"] as? String }
    }

    @Test("a format with arguments is read, and written as text")
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

    @Test("types are compared as identifiers, and by what they conform to")
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

    @Test("predicates are put together from parts")
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

    @Test("text that cannot be read is an error, or a predicate that holds for nothing")
    func malformed() throws {
        let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(validating: "name == 'x") }
        #expect(error?.position == 8)
        #expect(error?.description.hasPrefix("Unable to parse the format string \"name == 'x\"") == true)
        #expect(try NSPredicate(validating: "name == %@", arguments: ["x"]).formatText == "name == \"x\"")
        let broken = NSPredicate(format: "name ==")
        #expect(!broken.evaluate(with: ["name": "x"]))
        #expect(broken.formatText == "name ==")
    }

    @Test("variables are given values before or while it is evaluated")
    func variables() {
        let predicate = NSPredicate(format: "age > $LIMIT AND SUBQUERY(tags, $x, $x == $TAG).@count == 1")
        #expect(predicate.evaluate(with: people[0], substitutionVariables: ["LIMIT": 30, "TAG": "a"]))
        #expect(!predicate.evaluate(with: people[0], substitutionVariables: ["LIMIT": 31, "TAG": "a"]))
        let bound = predicate.withSubstitutionVariables(["LIMIT": 30, "TAG": "a", "x": 5])
        #expect(bound.formatText == "age > 30 AND SUBQUERY(tags, $x, $x == \"a\").@count == 1")
        #expect(bound.evaluate(with: people[0]))
    }

    @Test("Foundation's collections are filtered by it")
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

    @Test("blocks are asked, and Foundation's own predicates may be parts")
    func blocks() {
        let block = NSPredicate { object, variables in object as? Int == variables?["x"] as? Int }
        #expect(block.evaluate(with: 5, substitutionVariables: ["x": 5]))
        #expect(!block.evaluate(with: 6, substitutionVariables: ["x": 5]))
        let foreign = Foundation.NSPredicate { object, _ in object as? String == "x" }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [foreign, NSPredicate(value: true)])
        #expect(both.evaluate(with: "x"))
        #expect(!both.evaluate(with: "y"))
    }

    @Test("predicates of the same format are equal, and survive an archive")
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

    @Test("compounds that nest too deep hold for nothing, and say so")
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

    @Test("equal sets are equal, in whatever order they are gone through")
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

    @Test("nil is equal to nil only, never less or greater, and no text")
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

/// Asks for Foundation's property without its warning.
private protocol Textual {
    var predicateFormat: String { get }
}

extension NSPredicate: Textual {}

private enum FormatOf {
    static func text(_ predicate: any Textual) -> String { predicate.predicateFormat }
}
