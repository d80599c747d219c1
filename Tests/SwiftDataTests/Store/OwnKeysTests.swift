import Foundation
import Testing

@testable import SwiftData

/// Identifiers that a store makes of its own keys.
@Suite("Custom stores: keys")
struct OwnKeysTests {
    private static let texts = [
        "7", "+7", "07", "007", "p7", "pp7", "t7", "-7", "7 ", "7.0", "p", "t", "-0", "0", "\(Int64.max)", "\(1 << 62)",
        "Rome",
    ]

    @Test("Keys with different texts identify different models, and keep their text in archives")
    func texts() throws {
        let ids = try Self.texts.map {
            try PersistentIdentifier.identifier(for: "keys", entityName: "Word", primaryKey: $0)
        }
        #expect(Set(ids).count == ids.count)
        for (id, text) in zip(ids, Self.texts) {
            #expect(KeyTexts.text(of: id.objectID.key) == text)
            let archive = try JSONEncoder().encode(id)
            #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: archive) == id, "\(text)")
        }
    }

    @Test("A number is the same key as its text")
    func numbers() throws {
        let (number, text) = (
            try PersistentIdentifier.identifier(for: "keys", entityName: "Word", primaryKey: 7),
            try PersistentIdentifier.identifier(for: "keys", entityName: "Word", primaryKey: "7")
        )
        #expect(number == text)
        #expect(number.objectID.key == 7)
    }
}
