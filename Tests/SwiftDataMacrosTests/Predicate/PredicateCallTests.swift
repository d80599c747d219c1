import Testing

@testable import SwiftDataMacros

/// Functions, and closures within a predicate's.
@Suite struct PredicateCallTests {
    @Test(
        "functions",
        arguments: [
            ("a.contains(\"x\")", "contains(a, Value(\"x\"))"),
            ("a.contains(part)", "contains(a, Arg(part))"),
            ("list.contains(a)", "contains(Value(list), a)"),
            ("a.starts(with: s)", "starts(a, with: Value(s))"),
            ("a.min()", "min(a)"),
            ("a.max()", "max(a)"),
            ("a.localizedStandardContains(s)", "localizedStandardContains(a, Value(s))"),
            ("a.localizedCompare(s)", "localizedCompare(a, Value(s))"),
            ("a.caseInsensitiveCompare(s)", "caseInsensitiveCompare(a, Value(s))"),
            ("old.evaluate(a)", "evaluate(_captured(old), a)"),
            ("self.old.evaluate(a, b)", "evaluate(_captured(self.old), a, Value(b))"),
            ("Self.old.evaluate(a)", "evaluate(_captured(Self.old), a)"),
        ])
    func functions(source: String, tree: String) {
        #expect(nodes(of: "a in \(source)") == ["{ a in \(tree) }"])
    }

    @Test(
        "functions with closures, trailing or in parentheses, with and without names",
        arguments: [
            ("a.contains { $0 }", "contains(a, where: { input1 in input1 })"),
            ("a.contains(where: { $0 })", "contains(a, where: { input1 in input1 })"),
            ("a.allSatisfy { b in b }", "allSatisfy(a, { b in b })"),
            ("a.filter({ _ in true })", "filter(a, { _ in Value(true) })"),
            ("a.flatMap { $0.b }", "flatMap(a, { input1 in KeyPath(root: input1, keyPath: \\.b) })"),
            (
                "a.contains { $0.contains { $0 } }",
                "contains(a, where: { input1 in contains(input1, where: { input2 in input2 }) })"
            ),
        ])
    func closures(source: String, tree: String) {
        #expect(nodes(of: "a in \(source)") == ["{ a in \(tree) }"])
    }

    @Test("closures have statements of their own")
    func statements() {
        #expect(
            nodes(of: "a in a.contains { $0.x && a.y }") == [
                "let part1 = KeyPath(root: input1, keyPath: \\.x)",
                "let part2 = KeyPath(root: a, keyPath: \\.y)", "return Conjunction(lhs: part1, rhs: part2)",
            ])
    }
}
