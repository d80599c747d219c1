import Testing

@testable import SwiftDataMacros

/// Valid places of `@Attribute`.
@Suite struct AttributePropertyMacroTests {
    @Test(
        "an attribute is a stored property of the object",
        arguments: [
            "var a: Int { 1 }", "static var a = 1", "lazy var a = 1", "func a() {}",
        ])
    func place(declaration: String) {
        let diagnostics = problems(in: "class A {\n@Attribute \(declaration)\n}", Macros.annotations)
        #expect(diagnostics == ["2:1 error annotationNotPersisted"])
    }

    @Test("the fix-it removes the annotation")
    func repair() throws {
        #expect(
            try repaired("class A {\n    @Attribute(.unique) lazy var a = 1\n}", Macros.annotations)
                == "class A {\n    lazy var a = 1\n}")
    }

    @Test("a property that is not stored cannot be unique")
    func uniqueTransient() {
        let source = "class A {\n@Transient @Attribute(.unique) var a = 1\n}"
        #expect(problems(in: source, Macros.annotations) == ["2:12 error uniqueTransient"])
    }

    @Test("a stored property is valid, also with observers")
    func stored() {
        let source = "class A {\n@Attribute(.unique) var a = 1 { didSet {} }\n@Attribute let b = 1\n}"
        #expect(problems(in: source, Macros.annotations) == [])
    }
}
