import SwiftIfConfig
import Testing

@testable import SwiftDataMacros

/// Members under `#if`: evaluated if the compiler reports the build, left to the compiler otherwise, and never refused because of
/// another build.
@Suite struct ConditionalMemberTests {
    private static var linux: StaticBuildConfiguration {
        StaticBuildConfiguration(
            customConditions: ["DEBUG"], targetOSs: ["Linux"], languageVersion: VersionTuple(6),
            compilerVersion: VersionTuple(6, 3))
    }

    private func diagnostics(_ members: String..., in build: StaticBuildConfiguration? = Self.linux) -> [String] {
        problems(in: "@Model final class A {\n\(members.joined(separator: "\n"))\n}", Macros.model, in: build)
    }

    private func expanded(_ members: String..., in build: StaticBuildConfiguration? = Self.linux) -> String {
        expansion(of: "@Model final class A {\n\(members.joined(separator: "\n"))\n}", Macros.model, in: build)
    }

    private static let plainInitializer = "init() { _$storage.borrowed.adopt(self) }"

    // MARK: Missing initializers

    @Test("an initializer of this build satisfies the requirement, one of another build does not")
    func initializer() {
        let missing = ["1:20 error requiresInitializer"]
        let initializer = "init(a: Int) { self.a = a }"
        #expect(diagnostics("var a: Int", "#if os(Linux)", initializer, "#endif") == [])
        #expect(diagnostics("var a: Int", "#if !os(Linux)", initializer, "#endif") == missing)
        #expect(diagnostics("var a: Int", "#if os(macOS)", initializer, "#else", initializer, "#endif") == [])
        #expect(
            diagnostics("var a: Int", "#if os(macOS)", initializer, "#elseif DEBUG", "#else", initializer, "#endif")
                == missing
        )
    }

    @Test("a property of this build needs an initializer, one of another build does not")
    func property() {
        #expect(diagnostics("#if os(Linux)", "var a: Int", "#endif") == ["1:20 error requiresInitializer"])
        #expect(diagnostics("#if os(macOS)", "var a: Int", "#endif") == [])
        #expect(diagnostics("#if DEBUG", "#if os(macOS)", "var a: Int", "#endif", "#endif") == [])
    }

    @Test("nothing is refused if the build is unknown", arguments: [false, true])
    func unknown(isOtherwiseKnown: Bool) {
        let build = isOtherwiseKnown ? Self.linux : nil
        let initializer = "init(a: Int) { self.a = a }"
        #expect(diagnostics("var a: Int", "#if canImport(X)", initializer, "#endif", in: build) == [])
        #expect(diagnostics("#if canImport(X)", "var a: Int", "#endif", in: build) == [])
        #expect(diagnostics("#if canImport(X)", "#else", "var a: Int", "#endif", in: build) == [])
    }

    // MARK: Other checks

    @Test("errors are reported in code of this build only")
    func mistakes() {
        let mistakes = ["var schemaMetadata = false", "@Relationship let a: B", "var b, c: Int"]
        for mistake in mistakes {
            #expect(diagnostics("#if os(macOS)", mistake, "#endif", "init() {}") == [], "\(mistake)")
            #expect(diagnostics("#if canImport(X)", mistake, "#endif", "init() {}") == [], "\(mistake)")
            #expect(diagnostics("#if os(Linux)", mistake, "#endif", "init() {}").count == 1, "\(mistake)")
        }
    }

    @Test("one #Unique for each build is valid")
    func unique() {
        let (first, second) = ("#Unique<A>([\\.a])", "#Unique<A>([\\.b])")
        #expect(diagnostics("#if os(Linux)", first, "#else", second, "#endif", "init() {}") == [])
        #expect(diagnostics("#if canImport(X)", first, "#else", second, "#endif", "init() {}") == [])
        #expect(diagnostics("#if DEBUG", first, "#endif", second, "init() {}") == ["5:1 error secondUnique"])
    }

    @Test("an initializer of another build need not call super.init")
    func superInit() {
        func diagnostics(_ condition: String) -> [String] {
            problems(
                in: "@Model class B: A {\n#if \(condition)\ninit(b: Int) { b }\n#endif\n}", Macros.submodel,
                in: Self.linux)
        }
        #expect(diagnostics("os(macOS)") == [])
        #expect(diagnostics("canImport(X)") == [])
        #expect(diagnostics("os(Linux)") == ["3:1 error implicitSuperInit"])
    }

    // MARK: Expansions

    @Test("DV65 init() is added if every property has a default and there is no initializer")
    func plainInitializer() {
        #expect(expanded("var a = 1", "var b: Int?").contains(Self.plainInitializer))
        #expect(!expanded("var a = 1", "init(a: Int) {}").contains(Self.plainInitializer))
    }

    @Test("init() is added for builds without an initializer")
    func conditionalPlainInitializer() {
        let written = ["init(x: Int) {}", "#endif", "var a = 1"].joined(separator: "\n")
        #expect(!expanded("#if os(Linux)", written).contains(Self.plainInitializer))
        let other = expanded("#if os(macOS)", written)
        #expect(other.contains(Self.plainInitializer) && !other.contains("#if !"))
        let unknown = expanded("#if canImport(X)", written)
        #expect(unknown.contains("#if !(canImport(X))\n\(Self.plainInitializer)\n#endif"), "\(unknown)")
    }

    @Test("a subclass requires the store's initializer in builds with an initializer of its own")
    func storesInitializer() {
        func expanded(_ condition: String) -> String {
            expansion(
                of: "@Model class B: A {\n#if \(condition)\ninit(b: Int) { super.init() }\n#endif\n}", Macros.submodel,
                in: Self.linux)
        }
        let required = "required init(backingData: any SwiftData.BackingData<Root>) {"
        #expect(!expanded("os(macOS)").contains(required))
        #expect(
            expanded("os(Linux)").contains(required) && !expanded("os(Linux)").contains("#if os(Linux)\n\(required)"))
        #expect(expanded("canImport(X)").contains("#if canImport(X)\n\(required)"))
    }

    // MARK: Conditions

    @Test("a clause's condition includes that the clauses before it are false")
    func clauses() {
        let text = expanded("#if canImport(X)", "#elseif B", "#else", "init(x: Int) {}", "#endif", "var a = 1")
        #expect(text.contains("#if !((!(canImport(X))) && (!(B)))\n"), "\(text)")
    }

    @Test("conditions combine as Booleans do")
    func conditions() {
        let (a, b) = (BuildCondition.when("a"), BuildCondition.when("b"))
        let (both, either, not) = (a && b, a || b, !a)
        #expect(both == .when("(a) && (b)"))
        #expect(either == .when("(a) || (b)"))
        #expect(not == .when("!(a)"))
        let always: [BuildCondition] = [.always && a, a && .always, .never || a, a || .never]
        #expect(always.allSatisfy { $0 == a })
        let dominated: [BuildCondition] = [.never && a, a && .never, !(.always || a), !(a || .always)]
        #expect(dominated.allSatisfy { $0 == .never })
    }
}
