import Testing

@testable import SwiftDataMacros

/// Refusals of `@Model`, with their positions and fix-its.
@Suite struct ModelChecksTests {
    private func diagnostics(_ members: String) -> [String] {
        problems(in: "@Model final class A {\n\(members)\ninit() {}\n}", Macros.model)
    }

    @Test("only classes can be models", arguments: ["struct", "enum", "actor", "protocol"])
    func kinds(keyword: String) {
        #expect(problems(in: "@Model \(keyword) A {}", Macros.model) == ["1:1 error notAClass"])
    }

    @Test("DV66 constant relationships, generic classes and private ones in another type are refused")
    func unreachable() {
        #expect(diagnostics("@Relationship let a: B") == ["2:15 error constantRelationship"])
        #expect(problems(in: "@Model final class A<T> {\ninit() {}\n}", Macros.model) == ["1:21 error genericModel"])
        #expect(
            problems(in: "struct S {\n@Model private class A {\ninit() {}\n}\n}", Macros.model)
                == ["2:8 error privateNestedModel"])
    }

    @Test("a model has an initializer when a property has no default")
    func initializer() {
        #expect(problems(in: "@Model class A {\n var a: Int\n}", Macros.model) == ["1:14 error requiresInitializer"])
        #expect(problems(in: "@Model class A {\n var a: Int?\n var b = 1\n}", Macros.model) == [])
        #expect(diagnostics("var a: Int") == [])
    }

    @Test(
        "names that the expansion declares are refused",
        arguments: ["persistentBackingData", "schemaMetadata", "description"])
    func names(name: String) {
        #expect(diagnostics("var \(name): Int") == ["2:5 error reservedName"])
    }

    @Test(
        "names of the protocol's extension are allowed, as are a computed and a transient description",
        arguments: ["id", "hasChanges", "isDeleted", "modelContext", "persistentModelID"])
    func freeNames(name: String) {
        #expect(diagnostics("var \(name): Int\nvar description: String { \"\" }") == [])
        #expect(diagnostics("@Transient var description = \"\"") == [])
    }

    @Test("a constant gets its value in its declaration or in initializers, and cannot be a relationship")
    func constants() throws {
        #expect(diagnostics("let a: Int\nlet b: Int?\nlet c = 1\n@Attribute(.unique) let d: UUID") == [])
        #expect(problems(in: "@Model class A {\n let a: Int\n}", Macros.model) == ["1:14 error requiresInitializer"])
        #expect(problems(in: "@Model class A {\n let a: Int?\n}", Macros.model) == ["1:14 error requiresInitializer"])
        #expect(
            try repaired("@Model class A {\n    @Relationship let a: [B] // a\n    init() {}\n}", Macros.model)
                == "@Model class A {\n    @Relationship var a: [B] // a\n    init() {}\n}")
    }

    @Test("DV75 a stored property with an attribute like a property wrapper's is refused, once, and gets no accessors")
    func wrappers() {
        #expect(diagnostics("@Trimmed var a = 1") == ["2:1 error wrappedProperty"])
        #expect(diagnostics("@Other.Clamped(0...1) private var a: Double") == ["2:1 error wrappedProperty"])
        let text = expansion(of: "@Model final class A {\n@Trimmed var a = 1\n}", Macros.model)
        #expect(!text.contains("PersistedProperty"))
        for free in [
            "@Transient @Trimmed var a = 1", "@Attribute(.unique) var a = 1", "@SwiftData.Attribute var a = 1",
            "@ObservationIgnored var a = 1", "@MainActor var a = 1", "@available(*, deprecated) var a = 1",
            "@Described @_PersistedProperty var a = 1", "@Trimmed static var a = 1", "@Trimmed var a: Int { 1 }",
        ] {
            #expect(diagnostics(free) == [], "\(free)")
        }
    }

    @Test("a declaration of several properties is refused")
    func bindings() throws {
        #expect(diagnostics("var a, b: Int") == ["2:5 error severalBindings"])
        #expect(diagnostics("let (a, b) = (1, 2)") == ["2:5 error destructuring"])
        #expect(diagnostics("static let a = 1, b = 2") == [])
        #expect(
            try repaired("@Model class A {\n    private var a, b: Int, c = 1\n    init() {}\n}", Macros.model) == """
                @Model class A {
                    private var a: Int
                    private var b: Int
                    private var c = 1
                    init() {}
                }
                """)
    }

    @Test("a subclass must call super.init itself")
    func superInit() throws {
        let source = "@Model class B: A {\n    var b: Int\n    init(b: Int) {\n        self.b = b\n    }\n}"
        #expect(problems(in: source, Macros.submodel) == ["3:5 error implicitSuperInit"])
        #expect(problems(in: source, Macros.model) == [])
        let fixed = "self.b = b\n        super.init()\n    }"
        #expect(try repaired(source, Macros.submodel).contains(fixed))
        let overriding = "@Model class B: A {\n override init() {}\n}"
        #expect(problems(in: overriding, Macros.submodel) == ["2:11 error implicitSuperInit"])
    }

    @Test("a class may have one #Unique")
    func unique() {
        #expect(diagnostics("#Unique<A>([\\.a])\n#Unique<A>([\\.b])") == ["3:1 error secondUnique"])
    }

    @Test("a model cannot be isolated to the main actor")
    func mainActor() throws {
        let source = "@MainActor @Model class A {\n    init() {}\n}"
        #expect(problems(in: source, Macros.model) == ["1:1 error mainActorModel"])
        #expect(try repaired(source, Macros.model) == "@Model class A {\n    init() {}\n}")
    }

    @Test("a model cannot be generic")
    func generic() {
        #expect(problems(in: "@Model class A<T> {\n init() {}\n}", Macros.model) == ["1:15 error genericModel"])
    }

    @Test("a nested model must be at least fileprivate")
    func privateNested() throws {
        let source = "enum E {\n    @Model private class A {\n        init() {}\n    }\n}"
        #expect(problems(in: source, Macros.model) == ["2:12 error privateNestedModel"])
        #expect(problems(in: "@Model private class A {\n init() {}\n}", Macros.model) == [])
        #expect(
            try repaired(source, Macros.model)
                == "enum E {\n    @Model fileprivate class A {\n        init() {}\n    }\n}")
    }
}
