import Foundation
import SwiftData
import Testing

@Suite("Value transformers")
struct ValueTransformerTests {
    final class Uppercase: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? { (value as? String)?.uppercased() }
    }

    @Test("A transformer named by its class is registered under the class name")
    func registration() {
        #expect(Schema.Attribute(.transformable(by: Uppercase.self)).isTransformable)
        let found = ValueTransformer(forName: NSValueTransformerName("Uppercase"))
        #expect(found?.transformedValue("a") as? String == "A")
        #expect(ValueTransformer(forName: NSValueTransformerName("not registered")) == nil)
    }

    @Test("Collections survive secure archiving; other classes are refused")
    func secureArchive() throws {
        let name = NSValueTransformerName.secureUnarchiveFromDataTransformerName
        let transformer = try #require(ValueTransformer(forName: name))
        let data = try #require(transformer.reverseTransformedValue(["a": [1, 2]]) as? Data)
        #expect(transformer.transformedValue(data) as? [String: [Int]] == ["a": [1, 2]])
        #expect(transformer.reverseTransformedValue(NSObject()) == nil)
        #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
    }

    @Test("A transformer that is not registered is found by the name of its class")
    func className() {
        #expect(ValueTransformer(forName: NSValueTransformerName("NSSecureUnarchiveFromDataTransformer")) != nil)
        let name = NSValueTransformerName(String(reflecting: UnregisteredTransformer.self))
        let found = ValueTransformer(forName: name)
        #expect(found?.transformedValue("a") as? String == "a!")
        #expect(ValueTransformer(forName: name) === found)
        #expect(ValueTransformer(forName: NSValueTransformerName(String(reflecting: NotATransformer.self))) == nil)
    }
}

final class UnregisteredTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { $0 + "!" } }
}

final class NotATransformer: NSObject {}
