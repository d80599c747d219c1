import Testing

@testable import SwiftDataMacros

/// `#Unique` and `#Index` generate no code in their place.
@Suite struct ConstraintMacroTests {
    @Test("constraints expand to nothing", arguments: ["#Unique<A>([\\.a])", "#Index<A>([\\.a], [\\.b])"])
    func nothing(source: String) {
        let text = expansion(of: "class A {\n\(source)\n}", Macros.constraints)
        #expect(text == "class A {\n}")
    }
}
