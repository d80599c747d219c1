import SwiftSyntaxMacros
import Testing

@testable import SwiftDataMacros

/// What `@Managed` makes of a property.
@Suite struct ManagedPropertyMacroTests {
    private static let managed = ["Managed": MacroSpec(type: ManagedPropertyMacro.self)]

    @Test("a property is kept under its name, also where the name is a word of the language")
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
        "what cannot be a managed property is refused",
        arguments: [
            "let a: Int", "var a = 1", "var a: Int = 1", "var a: Int { 1 }", "var a: Int, b: Int", "func a() {}",
        ])
    func refusals(declaration: String) {
        let found = problems(in: "class Animal: NSManagedObject {\n    @Managed \(declaration)\n}", Self.managed)
        #expect(!found.isEmpty, "\(declaration)")
    }
}
