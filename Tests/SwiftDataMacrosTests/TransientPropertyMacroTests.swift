import Testing

@testable import SwiftDataMacros

/// What `@Transient` asks of a property.
@Suite struct TransientPropertyMacroTests {
    private func told(_ declaration: String) -> [String] {
        problems(in: "class A {\n@Transient \(declaration)\n}", Macros.annotations)
    }

    @Test("a transient property can come into being by itself")
    func defaults() {
        #expect(told("var a: Int") == ["2:16 error transientNeedsDefault"])
        #expect(told("var a: Int?") == [])
        #expect(told("var a = 1") == [])
        #expect(told("lazy var a = 1") == [])
    }

    @Test("where it changes nothing there is a warning")
    func needless() throws {
        #expect(told("var a: Int { 1 }") == ["2:1 warning needlessTransient"])
        #expect(told("static let a = 1") == ["2:1 warning needlessTransient"])
        #expect(
            try repaired("class A {\n    @Transient var a: Int { 1 }\n}", Macros.annotations)
                == "class A {\n    var a: Int { 1 }\n}")
    }

    @Test("the fix is a default value")
    func repair() throws {
        #expect(
            try repaired("class A {\n    @Transient var a: Int\n}", Macros.annotations)
                == "class A {\n    @Transient var a: Int = <#default value#>\n}")
    }
}
