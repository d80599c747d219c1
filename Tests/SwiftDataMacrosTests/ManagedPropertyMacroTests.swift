import SwiftSyntaxMacroExpansion
import Testing

@testable import SwiftDataMacros

/// The expansion of `@Managed`.
@Suite struct ManagedPropertyMacroTests {
    private static let managed = ["Managed": MacroSpec(type: ManagedPropertyMacro.self)]

    @Test("a property is stored under its name, also if the name is a keyword")
    func accessors() {
        expectExpansion(
            of: """
                class Animal: NSManagedObject {
                    @Managed var legs: Int16
                    @Managed public var `default`: String?
                }
                """,
            is: """
                class Animal: NSManagedObject {
                    var legs: Int16 {
                        get {
                            managedValue(forKey: "legs")
                        }
                        set {
                            setManagedValue(newValue, forKey: "legs")
                        }
                    }
                    public var `default`: String? {
                        get {
                            managedValue(forKey: "default")
                        }
                        set {
                            setManagedValue(newValue, forKey: "default")
                        }
                    }
                }
                """,
            Self.managed)
    }

    @Test(
        "unsuitable declarations are refused",
        arguments: [
            "let a: Int", "var a = 1", "var a: Int = 1", "var a: Int { 1 }", "var a: Int, b: Int",
        ])
    func refusals(declaration: String) {
        let found = problems(in: "class Animal: NSManagedObject {\n    @Managed \(declaration)\n}", Self.managed)
        #expect(!found.isEmpty, "\(declaration)")
    }
}
