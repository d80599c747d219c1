import Foundation
import ObjectGraph
import Testing

@testable import CoreData

@Suite("Names of key paths")
struct KeyPathTextTests {
    /// Keeps its values by name, as managed objects do.
    private final class Bag: NSObject, KeyPathProbing {
        private var values: [String: Any] = [:]
        let probedAttributes: [(name: String, values: [Any])] = [
            ("name", ProbeValues.values(of: .string)), ("age", ProbeValues.values(of: .integer16)),
            ("isTame", ProbeValues.values(of: .boolean)), ("token", ProbeValues.values(of: .uuid)),
        ]

        var name: String? { values["name"] as? String }
        var age: Int { values["age"] as? Int ?? 77 }
        var isTame: Bool { values["isTame"] as? Bool ?? true }
        var isWild: Bool { !isTame }
        var both: String { "\(age) \(isTame)" }
        var other: Int { 5 }
        var strange: Bag { self }

        static func makeProbe() -> Bag? { Bag() }
        func setProbedValue(_ value: Any, forKey key: String) { values[key] = value }
    }

    @Test("computed properties are found by the values they give, also where a value tried is the default")
    func probing() {
        #expect(NSSortDescriptor(keyPath: \Bag.name, ascending: true).key == "name")
        #expect(NSSortDescriptor(keyPath: \Bag.age, ascending: true).key == "age")
        #expect(KeyPathText.text(of: \Bag.isTame) == "isTame")
        #expect(KeyPathText.text(of: \Bag.isTame) == "isTame")
    }

    @Test("what is calculated from attributes, or is no attribute at all, has no name")
    func nameless() {
        #expect(KeyPathText.text(of: \Bag.other) == nil)
        #expect(KeyPathText.text(of: \Bag.both) == nil)
        #expect(KeyPathText.text(of: \Bag.isWild) == nil)
        #expect(KeyPathText.text(of: \Bag.strange) == nil)
        #expect(NSSortDescriptor(keyPath: \Bag.other, ascending: true).key == nil)
    }
}
