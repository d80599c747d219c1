import Testing

@testable import SwiftDataMacros

/// Where an initializer registers the object with the engine.
@Suite struct ModelInitializerMacroTests {
    private func body(_ statements: String) -> String {
        expansion(of: "class A {\n@_ModelInitializer init(x: Int) {\n\(statements)\n}\n}", Macros.initializer)
    }

    private let adoption = "_$storage.borrowed.adopt(self)"

    @Test("the object is adopted at the end, and statements keep their lines")
    func end() {
        let expected = """
            #sourceLocation(file: "test.swift", line: 3)
            a = x
            #sourceLocation(file: "test.swift", line: 5)
            b = x
            #sourceLocation()
            \(adoption)
            }
            """
        let text = body("a = x\n\nb = x")
        #expect(text.contains(expected), "\(text)")
    }

    @Test("an empty body only adopts the object")
    func empty() {
        #expect(body("").contains("init(x: Int) {\n\(adoption)\n}"))
    }

    @Test("the object is adopted before a return, unless it returns nil or belongs to a nested function")
    func returns() {
        #expect(body("if x == 1 { return }").contains("{ \(adoption); return }"))
        #expect(body("guard x == 1 else { return nil }").ranges(of: adoption).count == 1)
        #expect(body("f { return }").ranges(of: adoption).count == 1)
        #expect(body("func g() { return }").ranges(of: adoption).count == 1)
        #expect(body("var y: Void { return }").ranges(of: adoption).count == 1)
        #expect(body("return").ranges(of: adoption).count == 1)
    }

    @Test("nothing is added after statements that never continue")
    func leaving() {
        #expect(body("fatalError()").ranges(of: adoption).count == 0)
        #expect(body("if a { return } else if b { throw E() } else { return }").ranges(of: adoption).count == 2)
        #expect(body("if a { return } else if b { return }").ranges(of: adoption).count == 3)
        #expect(body("switch x {\ncase 1: return\ndefault: throw E()\n}").ranges(of: adoption).count == 1)
    }
}
