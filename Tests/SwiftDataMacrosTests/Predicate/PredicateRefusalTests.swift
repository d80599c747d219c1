import Testing

@testable import SwiftDataMacros

/// Unsupported code in a predicate is refused at its position, with an alternative.
@Suite struct PredicateRefusalTests {
    @Test(
        "each unsupported construct has its own message",
        arguments: [
            (
                "a in a.hasPrefix(s)",
                "2:27 error a predicate does not have the function 'hasPrefix'; use 'starts(with:)'"
            ),
            (
                "a in a.lowercased() == s",
                "2:27 error a predicate does not have the function 'lowercased'; use 'localizedStandardContains(_:)' "
                    + "or 'caseInsensitiveCompare(_:)'"
            ),
            (
                "a in a.date < Date()",
                "2:34 error a predicate cannot call 'Date'; assign its result to a constant before the predicate, and use that"
            ),
            (
                "a in a == other.next()",
                "2:36 error a predicate cannot call 'other.next'; assign its result to a constant before the predicate, "
                    + "and use that"
            ),
            (
                "a in a === b",
                "2:27 error a predicate does not have the operator '==='; compare 'persistentModelID' with '=='"
            ),
            ("a in ~a == b", "2:25 error a predicate does not have the operator '~'"),
            (
                "a in (1...).contains(a)",
                "2:27 error a predicate does not have the operator '...'; give the range both ends, or compare with '<=' and '>='"
            ),
            (
                "a in let b = 1; return a == b",
                "2:36 error a predicate is one expression; join conditions with '&&', and compute other values before the predicate"
            ),
            (
                "a in if a { true }",
                "2:25 error 'if' needs an 'else' in a predicate, because both ways must give a value"
            ),
            (
                "a in if let b = a, b { true } else { false }",
                "2:28 error a predicate cannot mix 'if let' with other conditions; put the conditions into an 'if' or '&&' within it"
            ),
            ("a in switch a { default: true }", "2:25 error a predicate has no 'switch'; use 'if' and 'else if'"),
            ("a in (a, 1) == b", "2:25 error a predicate has no tuples; compare the elements one by one"),
            (
                "a in [a.b].contains(1)",
                "2:25 error a list in a predicate cannot contain values of the model; compare each with '==' and join with '||'"
            ),
            (
                "a in \"\\(a.b)\" == b",
                "2:25 error a text in a predicate cannot contain values of the model; compare them one by one"
            ),
            (
                "a in a.list.contains(where: f)",
                "2:48 error a predicate takes closures that are written out here, not functions or stored closures"
            ),
            (
                "a in a.old.evaluate(a)",
                "2:25 error 'evaluate' needs a predicate or an expression that does not depend on the model"
            ),
            ("a in try a.b", "2:25 error a predicate neither throws nor waits; compute the value before it"),
            (
                "a in a[keyPath: k]",
                "2:25 error a predicate has subscripts with an index, a range or a key, and 'default:' of a key"
            ),
        ])
    func messages(body: String, problem: String) {
        #expect(refusals(of: body) == [problem])
    }

    @Test("all errors are reported at once")
    func several() {
        #expect(refusals(of: "a in a.hasPrefix(s) && a.hasSuffix(s) && a.x").count == 2)
    }

    @Test("an argument other than a closure is refused")
    func closure() {
        #expect(
            problems(in: "let tree =\n#Predicate<Book>(condition)", Macros.predicate) == [
                "2:1 error a predicate takes closures that are written out here, not functions or stored closures"
            ])
    }
}
