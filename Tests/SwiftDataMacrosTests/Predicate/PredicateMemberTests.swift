import Testing

@testable import SwiftDataMacros

/// Properties, captured values, members of types, optional chains and subscripts.
@Suite struct PredicateMemberTests {
    @Test("properties of inputs and of captured values are key paths")
    func properties() {
        #expect(
            nodes(of: "$0.a.b") == ["{ input1 in KeyPath(root: KeyPath(root: input1, keyPath: \\.a), keyPath: \\.b) }"])
        #expect(nodes(of: "_ in value.a") == ["{ _ in KeyPath(root: Value(value), keyPath: \\.a) }"])
        #expect(nodes(of: "$1.a") == ["{ input1, input2 in KeyPath(root: input2, keyPath: \\.a) }"])
        #expect(nodes(of: "(a: Book) -> Bool in a.`default`") == ["{ a in KeyPath(root: a, keyPath: \\.`default`) }"])
    }

    @Test(
        "members of types are captured as a whole",
        arguments: [
            "Kind.novel", "Shelf.Kind.novel", ".novel", "Kind.novel.rawValue", "Date.now", ".tagged(\"x\")",
            "Kind.tagged(\"x\")", "Self.limit", "Array<Int>.empty",
        ])
    func typeMembers(source: String) {
        #expect(nodes(of: "_ in \(source)") == ["{ _ in Value(\(source)) }"])
    }

    @Test("inputs and captured values may have capitalized names")
    func capitalInput() {
        #expect(nodes(of: "Book in Book.kind") == ["{ Book in KeyPath(root: Book, keyPath: \\.kind) }"])
        #expect(nodes(of: "a in NAMES.contains(a)") == ["{ a in contains(Value(NAMES.self), a) }"])
    }

    @Test("literals", arguments: ["1", "2.5", "\"a\"", "\"\\(count) of\"", "true", "[1, 2]", "[:]", "[Kind.novel]"])
    func literals(source: String) {
        #expect(nodes(of: "_ in \(source)") == ["{ _ in Value(\(source)) }"])
    }

    @Test("an optional chain is a closure for the rest of the chain; longer ones are divided into statements")
    func chains() {
        #expect(
            nodes(of: "a in a.b?.c.d") == [
                "{ a in flatMap(KeyPath(root: a, keyPath: \\.b), "
                    + "{ value1 in KeyPath(root: KeyPath(root: value1, keyPath: \\.c), keyPath: \\.d) }) }"
            ])
        #expect(
            nodes(of: "a in a.b?.c?.d") == [
                "let part1 = flatMap(KeyPath(root: a, keyPath: \\.b), { value1 in KeyPath(root: value1, keyPath: \\.c) })",
                "return flatMap(part1, { value2 in KeyPath(root: value2, keyPath: \\.d) })",
            ])
        #expect(
            nodes(of: "a in a.b?.c!") == [
                "{ a in ForcedUnwrap(flatMap(KeyPath(root: a, keyPath: \\.b), "
                    + "{ value1 in KeyPath(root: value1, keyPath: \\.c) })) }"
            ])
        #expect(
            nodes(of: "a in a.b?.c!.d") == [
                "{ a in flatMap(KeyPath(root: a, keyPath: \\.b), "
                    + "{ value1 in KeyPath(root: ForcedUnwrap(KeyPath(root: value1, keyPath: \\.c)), keyPath: \\.d) }) }"
            ])
        #expect(
            nodes(of: "a in a.b?.filter { $0.c }.count") == [
                "{ a in flatMap(KeyPath(root: a, keyPath: \\.b), { value1 in "
                    + "KeyPath(root: filter(value1, { input1 in KeyPath(root: input1, keyPath: \\.c) }), keyPath: \\.count) }) }"
            ])
    }

    @Test("subscripts")
    func subscripts() {
        #expect(nodes(of: "a in a[1]") == ["{ a in subscript(a, Value(1)) }"])
        #expect(nodes(of: "a in b[a, default: 2]") == ["{ a in subscript(Value(b), a, default: Value(2)) }"])
        #expect(nodes(of: "a in a[1..<2]") == ["{ a in subscript(a, Range(lower: Value(1), upper: Value(2))) }"])
    }
}
