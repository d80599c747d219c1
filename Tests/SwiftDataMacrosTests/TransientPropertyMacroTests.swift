import Testing

@testable import SwiftDataMacros

/// The requirements of `@Transient`.
@Suite struct TransientPropertyMacroTests {
    private func diagnostics(_ declaration: String) -> [String] {
        problems(in: "class A {\n@Transient \(declaration)\n}", Macros.annotations)
    }

    @Test("a transient property needs a default")
    func defaults() {
        #expect(diagnostics("var a: Int") == ["2:16 error transientNeedsDefault"])
        #expect(diagnostics("var a: Int?") == [])
        #expect(diagnostics("var a = 1") == [])
        #expect(diagnostics("lazy var a = 1") == [])
    }

    @Test("a superfluous annotation gives a warning")
    func needless() throws {
        #expect(diagnostics("var a: Int { 1 }") == ["2:1 warning needlessTransient"])
        #expect(diagnostics("static let a = 1") == ["2:1 warning needlessTransient"])
        #expect(
            try repaired("class A {\n    @Transient var a: Int { 1 }\n}", Macros.annotations)
                == "class A {\n    var a: Int { 1 }\n}")
    }

    @Test("the fix-it adds a default value")
    func repair() throws {
        #expect(
            try repaired("class A {\n    @Transient var a: Int\n}", Macros.annotations)
                == "class A {\n    @Transient var a: Int = <#default value#>\n}")
    }
}
