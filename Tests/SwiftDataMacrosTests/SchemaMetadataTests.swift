import Testing

@testable import SwiftDataMacros

/// Properties, annotations, conditions and constraints in `schemaMetadata`.
@Suite struct SchemaMetadataTests {
    private func metadata(_ members: String) -> [String] {
        let text = expansion(of: "@Model final class A {\n\(members)\ninit() {}\n}", Macros.model)
        guard let start = text.firstRange(of: "= []\n"), let end = text.firstRange(of: "\nreturn _$metadata") else {
            return []
        }
        let lines = text[start.upperBound..<end.lowerBound].split(separator: "\n")
        let head = "_$metadata.append(SwiftData.Schema.PropertyMetadata"
        return lines.map { $0.hasPrefix(head) ? String($0.dropFirst(head.count).dropLast()) : String($0) }
    }

    @Test("a default value keeps the type of its property")
    func defaultValues() {
        #expect(
            metadata("var a: Kind? = .dog\nvar b = [Int]()\nvar c: Double! = 1") == [
                #"(name: "a", keypath: \A.a, defaultValue: (.dog) as Kind?, metadata: nil)"#,
                #"(name: "b", keypath: \A.b, defaultValue: [Int](), metadata: nil)"#,
                #"(name: "c", keypath: \A.c, defaultValue: (1) as Double?, metadata: nil)"#,
            ])
    }

    @Test("annotations become descriptions with the same arguments")
    func annotations() {
        let lines = metadata(
            """
            @Attribute(.unique, originalName: "x") var a: String
            @SwiftData.Relationship(deleteRule: .cascade, inverse: \\B.a) var b: [B]
            @Attribute var c: Int
            """)
        let annotations = [
            #"Attribute(.unique, originalName: "x")"#, #"Relationship(deleteRule: .cascade, inverse: \B.a)"#,
            "Attribute()",
        ]
        #expect(lines.count == 3)
        for (line, annotation) in zip(lines, annotations) {
            #expect(line.hasSuffix("metadata: SwiftData.Schema.\(annotation))"))
        }
    }

    @Test("a constant without a value is one that initializers set")
    func constants() {
        #expect(
            metadata("@Attribute(.unique) let a: Int\n@Attribute(.transformable(by: \"T\")) let b: Blob") == [
                #"(name: "a", constant: \A.a, metadata: SwiftData.Schema.Attribute(.unique))"#,
                #"(name: "b", transformableConstant: \A.b, "#
                    + #"metadata: SwiftData.Schema.Attribute(.transformable(by: "T")))"#,
            ])
    }

    @Test("a constant with a value is described, a property that is not persisted is not")
    func kinds() {
        let lines = metadata("let a = 1\n@Transient var b = 2\nstatic let c = 3\nlazy var d = 4\nvar e: Int { 5 }")
        #expect(lines == [#"(name: "a", keypath: \A.a, defaultValue: 1, metadata: nil)"#])
    }

    @Test(
        "a class is marked if its initial values may create models",
        arguments: [
            "@Transient var a = Other()", "@Transient var a: Other? = .shared", "@Transient var a = [make()]",
            "@Transient var a = \"\\(name)\"", "@Transient @Wrapped var a = 1", "let a = make()",
        ])
    func objectsMade(_ member: String) {
        #expect(metadata(member).last == "._makesObjects")
    }

    @Test(
        "plain values do not mark it, nor do initial values of persisted properties",
        arguments: [
            "@Transient var a = 1", "@Transient var a = -1.5", "@Transient var a: [Int] = []", "@Transient var a: Int?",
            "@Transient var a = [Int]()", "@Transient var a = Set<Int>()", "@Transient var a = Date()",
            "@Transient var a = [\"x\": true]", "var a = Other()", "lazy var a = Other()", "static var a = Other()",
        ])
    func noObjectsMade(_ member: String) {
        #expect(!metadata(member).contains("._makesObjects"))
    }

    @Test("the codes of a comment that silences warnings are included, and nothing else of it")
    func silence() {
        let comment = "/// A word.\n// openswiftdata:silence cascade-cycle, key-without-index \"so-it is\" A-B"
        #expect(
            metadata("\(comment)\nvar a: [B]?\n// cascade-cycle\nvar b = 1") == [
                #"(name: "a", keypath: \A.a, defaultValue: nil, metadata: nil, "#
                    + #"silencing: ["cascade-cycle", "key-without-index"])"#,
                #"(name: "b", keypath: \A.b, defaultValue: 1, metadata: nil)"#,
            ])
    }

    @Test("backticks stay in the key path and are removed from the name")
    func backticks() {
        #expect(
            metadata("var `default`: Int") == [
                #"(name: "default", keypath: \A.`default`, defaultValue: nil, metadata: nil)"#
            ])
    }

    @Test("conditions are kept around their properties, and omitted if they contain none")
    func conditions() {
        let lines = metadata(
            """
            #if os(Linux)
            var a: Int
            #elseif DEBUG
            func f() {}
            #else
            var b: Int
            #endif
            #if DEBUG
            func g() {}
            #endif
            """)
        #expect(
            lines == [
                "#if os(Linux)", #"(name: "a", keypath: \A.a, defaultValue: nil, metadata: nil)"#,
                "#elseif DEBUG", "#else", #"(name: "b", keypath: \A.b, defaultValue: nil, metadata: nil)"#, "#endif",
            ])
    }

    @Test("#Unique and #Index are listed after the properties")
    func constraints() {
        let text = expansion(
            of: """
                @Model final class A {
                    #Unique<A>([\\.a], [\\.b, \\.c])
                    #Index([\\.a])
                    var a: Int
                    init() {}
                }
                """, Macros.model)
        let keyPath = #"keypath: \SwiftData.Schema.encodingVersion, defaultValue: nil"#
        #expect(
            text.contains(
                #"(name: "SwiftData.Schema.Unique", \#(keyPath), "#
                    + #"metadata: SwiftData.Schema.Unique<A>([\.a], [\.b, \.c])))"#))
        #expect(
            text.contains(
                #"(name: "SwiftData.Schema.Index", \#(keyPath), metadata: SwiftData.Schema.Index<A>([\.a])))"#))
    }

    @Test("a class without persisted properties has empty metadata")
    func empty() {
        let text = expansion(of: "@Model final class A {\n init() {}\n}", Macros.model)
        #expect(text.contains("schemaMetadata: [SwiftData.Schema.PropertyMetadata] {\n[]\n}"))
    }
}
