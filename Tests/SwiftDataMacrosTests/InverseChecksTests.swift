import Testing

@testable import SwiftDataMacros

/// `inverse:` on both ends, which the compiler reports as a circular reference. For two classes only the compiler can detect it.
@Suite struct InverseChecksTests {
    private func diagnostics(_ members: String...) -> [String] {
        problems(in: "@Model class Node {\n" + members.joined(separator: "\n") + "\ninit() {}\n}", Macros.model)
    }

    private let children = #"@Relationship(inverse: \Node.parent) var children: [Node] = []"#

    @Test("an inverse specified at both ends within a class is refused once, at the second")
    func both() {
        #expect(
            diagnostics(children, #"@Relationship(inverse: \Node.children) var parent: Node?"#) == [
                "3:1 error inverseTwice"
            ])
        #expect(
            diagnostics(#"@Relationship(inverse: \Node.children) var parent: Node?"#, children) == [
                "3:1 error inverseTwice"
            ])
    }

    @Test("an inverse specified at one end, or differently at two, is accepted")
    func one() {
        #expect(diagnostics(children, "var parent: Node?") == [])
        #expect(diagnostics(children, "@Relationship(inverse: nil) var parent: Node?") == [])
        #expect(
            diagnostics(children, #"@Relationship(inverse: \Node.others) var parent: Node?"#, "var others: [Node] = []")
                == [])
        #expect(diagnostics(children, #"@Relationship(inverse: \Other.children) var parent: Node?"#) == [])
        #expect(
            diagnostics(
                children, "#if canImport(X)", #"@Relationship(inverse: \Node.children) var parent: Node?"#, "#else",
                "var parent: Node?", "#endif") == [])
    }
}
