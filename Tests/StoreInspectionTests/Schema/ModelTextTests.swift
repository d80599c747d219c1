import Foundation
import ObjectGraph
import TestSupport
import Testing

@testable import ModelText
@testable import StoreInspection

@Suite("Models as source and as a diagram")
struct ModelTextTests {
    private func model() throws -> Model {
        var mood = Attribute("mood", .composite, optional: true)
        mood.elements = [Attribute("mood", .string, optional: true)]
        mood.isEnum = true
        var unit = Attribute("unit", .composite)
        unit.elements = [Attribute("metric", .string, optional: true), Attribute("imperial", .string, optional: true)]
        unit.isEnum = true
        var size = Attribute("size", .composite, optional: true)
        size.elements = [Attribute("width", .double, optional: true), Attribute("tags", .binary, optional: true)]
        var count = Attribute("count", .integer64)
        count.defaultValue = [.integer(1)]
        var old = Attribute("class", .string)
        old.renamingIdentifier = "kind"
        old.preservesValueOnDeletion = true
        var total = Attribute("total", .integer64, optional: true)
        total.derivation = "count:(parts)"
        var thing = EntityDescription("Thing")
        thing.attributes = [mood, unit, size, count, old, total]
        thing.relationships = [
            Relationship("parts", to: "Part", .toMany, inverse: "thing", deleteRule: .cascade, optional: false),
            Relationship("next", to: "Thing", .toOne),
        ]
        thing.uniquenessConstraints = [["class"], ["count", "class"]]
        thing.indexes = [FetchIndex(name: "byCount", propertyNames: ["count"])]
        var part = EntityDescription("Part")
        part.attributes = [Attribute("name<&>", .string)]
        part.relationships = [Relationship("thing", to: "Thing", .toOne, inverse: "parts", optional: false)]
        var special = EntityDescription("Special", superentity: "Thing")
        special.attributes = [Attribute("extra", .date)]
        return try Model([thing, part, special], versionIdentifiers: ["2.1.0"])
    }

    @Test("Swift classes declare the model's properties")
    func swift() throws {
        let place = SwiftModelSource.RawValuePlace(entity: "Thing", attribute: "mood")
        let text = SwiftModelSource(try model(), rawValues: [place: [.text("Very Happy"), .text("sad")]]).text
        for line in [
            "// Version 2.1.0 of the model.", "@Model\nclass Thing {", "    #Unique<Thing>([\\.count, \\.class])",
            "    #Index<Thing>([\\.count])", "    var mood: Mood?", "    var unit: ThingUnit", "    var size: Size?",
            "    var count: Int = 1",
            "    @Attribute(.unique, .preserveValueOnDeletion, originalName: \"kind\") var `class`: String",
            "    // total: Int? is derived in the store from count:(parts).",
            "    @Relationship(deleteRule: .cascade, inverse: \\Part.thing) var parts: [Part]", "    var next: Thing?",
            "    init(unit: ThingUnit, `class`: String) {", "        self.parts = []", "final class Special: Thing {",
            "        super.init(unit: unit, class: `class`)", "    var thing: Thing\n",
            "enum Mood: String, Codable {\n    // The model does not name the cases; these are the values found in the store.\n"
                + "    case veryHappy = \"Very Happy\"\n    case sad\n}",
            "enum ThingUnit: Codable {\n    case metric\n    case imperial\n}", "    var width: Double?",
        ] { #expect(text.contains(line), "\(line)\n---\n\(text)") }
        #expect(text.components(separatedBy: "inverse:").count == 2)
    }

    @Test("A diagram is well-formed, escapes its texts, and has a box for each entity and a line for each link")
    func diagram() throws {
        let svg = ModelDiagram(try model(), title: "a <b> & \"c\"").svg
        let parser = XMLCheck(svg)
        #expect(parser.isWellFormed, "\(svg.prefix(400))")
        #expect(parser.counts["path.line"] == 3 + 3)  // two relationships and one inheritance; three in the legend
        #expect(parser.counts["rect.box"] == 3)
        #expect(svg.contains("a &lt;b&gt; &amp; &quot;c&quot;") && svg.contains("name&lt;&amp;&gt;"))
        #expect(svg.contains("prefers-color-scheme: dark"))
    }

    @Test("Boxes of a diagram never overlap, whatever the model", arguments: 0..<20)
    func layout(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let count = Int.random(in: 1...30, using: &generator)
        let descriptions = (0..<count).map { number -> EntityDescription in
            var description = EntityDescription("E\(number)")
            description.attributes = (0..<Int.random(in: 0...20, using: &generator)).map {
                Attribute("a\($0)", .string)
            }
            description.relationships = (0..<Int.random(in: 0...3, using: &generator)).map {
                Relationship(
                    "r\($0)", to: "E\(Int.random(in: 0..<count, using: &generator))", .toMany, deleteRule: .cascade)
            }
            return description
        }
        let model = try Model(descriptions)
        let boxes = model.entities.map { DiagramBox($0, model) }
        let nodes = DiagramLayout(boxes, DiagramEdge.all(model)).nodes.filter { $0.box != nil }
        #expect(nodes.count == count)
        for (place, one) in nodes.enumerated() {
            for other in nodes[(place + 1)...] {
                let apart =
                    one.x + one.width <= other.x + 0.01 || other.x + other.width <= one.x + 0.01
                    || one.y + one.height <= other.y + 0.01 || other.y + other.height <= one.y + 0.01
                #expect(apart, "seed \(seed)")
            }
        }
    }

    @Test("Classes that cannot express the model exactly say so at their top; others do not")
    func inexact() throws {
        var list = EntityDescription("List")
        list.attributes = [Attribute("name", .string), Attribute("colour", .transformable, optional: true)]
        list.relationships = [Relationship("items", to: "Item", .toMany, inverse: "list")]
        list.relationships[0].isOrdered = true
        var item = EntityDescription("Item")
        item.attributes = [Attribute("title", .string)]
        item.relationships = [Relationship("list", to: "List", .toOne, inverse: "items", optional: false)]
        item.relationships[0].minimumCount = 1
        let text = SwiftModelSource(try Model([list, item])).text
        let head = try #require(text.components(separatedBy: "@Model").first)
        #expect(head.contains("migrates it") && head.contains("--as coredata"), "\(head)")
        for name in ["List.colour (transformable)", "List.items (ordered)", "Item.list (mandatory)"] {
            #expect(head.contains(name), "\(head)")
        }
        list.attributes.removeLast()
        list.relationships[0].isOrdered = false
        item.relationships[0].minimumCount = 0
        #expect(!SwiftModelSource(try Model([list, item])).text.contains("migrates"))
    }
}

/// A minimal XML reader, to check that elements close in order.
private struct XMLCheck {
    private(set) var isWellFormed = true
    private(set) var counts: [String: Int] = [:]

    init(_ text: String) {
        var open: [String] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            if rest[..<start].contains(">") && open.last != "style" { isWellFormed = false }
            guard let end = rest[start...].firstIndex(of: ">") else {
                isWellFormed = false
                return
            }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/") {
                if open.popLast() != String(tag.dropFirst()) { isWellFormed = false }
                continue
            }
            let name = String(tag.prefix { $0 != " " && $0 != "/" })
            if let match = tag.firstMatch(of: /class="([a-z]+)/) {
                counts["\(name).\(match.output.1)", default: 0] += 1
            }
            if !tag.hasSuffix("/") { open.append(name) }
        }
        if !open.isEmpty { isWellFormed = false }
    }
}
