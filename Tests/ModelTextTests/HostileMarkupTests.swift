import Foundation
import ModelText
import TestSupport
import Testing

@Suite("Hostile XML")
struct HostileMarkupTests {
    @Test("Type declarations, and with them entities, are refused before parsing")
    func declarations() {
        let secret = """
            <!DOCTYPE model [<!ENTITY secret SYSTEM "file:///etc/passwd">]>
            <model><entity name="&secret;"/></model>
            """
        #expect(throws: MarkupError.declaresTypes) { try MarkupElement(xml: Data(secret.utf8)) }
    }

    @Test("Other encodings, which could hide a declaration, are refused")
    func encodings() throws {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><model/>"
        #expect(throws: MarkupError.notUTF8) { try MarkupElement(xml: Data(text.utf8)) }
        let wide = try #require("<model/>".data(using: .utf16))
        #expect(throws: MarkupError.notUTF8) { try MarkupElement(xml: wide) }
        #expect(throws: MarkupError.notUTF8) { try MarkupElement(xml: Data([0x3C, 0xFF, 0xFE])) }
    }

    @Test("Depth is limited")
    func depth() {
        let text = String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200)
        #expect(throws: MarkupError.tooDeep(line: 1)) { try MarkupElement(xml: Data(text.utf8)) }
    }

    @Test("An empty file and a file that is no XML are refused")
    func nothing() {
        #expect(throws: MarkupError.self) { try MarkupElement(xml: Data()) }
        #expect(throws: MarkupError.self) { try MarkupElement(xml: Data("no markup".utf8)) }
        #expect(throws: MarkupError.self) { try MarkupElement(xml: Data("<model>".utf8)) }
    }

    private static let rounds = Seeds.damagedInputs(200)
    /// Three for each value of `OPENSWIFTDATA_SEED`.
    private static let seeds = (1...3).map { Seeds.base &* 3 &+ $0 }

    @Test("Damaged files are refused, or read as other models that can be written again", arguments: seeds)
    func damaged(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let original = Array(SampleDocuments.zoo.utf8)
        var refused = 0
        for round in 0..<Self.rounds {
            let bytes = Self.damaged(original, &generator)
            guard let model = try? DocumentModel(xml: Data(bytes)) else {
                refused += 1
                continue
            }
            let again = try? DocumentModel(xml: Data(model.xml.utf8))
            #expect(again?.xml == model.xml, "seed \(seed), round \(round)")
            #expect(ClassGenerator(model).files(.everything).count <= model.entities.count * 2)
        }
        #expect(refused > 0 && refused < Self.rounds, "seed \(seed)")
    }

    /// Changed bytes, a piece cut out, or a piece twice.
    private static func damaged(_ original: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        let start = Int.random(in: bytes.indices, using: &generator)
        let end = min(bytes.count, start + Int.random(in: 1...60, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.insert(contentsOf: bytes[start..<end], at: end)
        case 2: bytes[start] = .random(in: 0x20...0x7E, using: &generator)
        default: bytes[start] = .random(in: .min ... .max, using: &generator)
        }
        return bytes
    }
}
