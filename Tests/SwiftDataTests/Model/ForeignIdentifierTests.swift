import Foundation
import SwiftData
import Testing

@Suite("Decoded identifiers")
struct ForeignIdentifierTests {
    @Test(
        "Malformed and oversized identifiers are refused",
        arguments: [
            "{}", "[]", #"{"implementation":{}}"#,
            #"{"implementation":{"primaryKey":"pX","uriRepresentation":"x:y","isTemporary":false,"entityName":"A"}}"#,
        ])
    func malformed(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PersistentIdentifier.self, from: Data(json.utf8))
        }
    }

    @Test("A name longer than that of any class is refused")
    func oversized() {
        let name = String(repeating: "A", count: 300)
        let json =
            #"{"implementation":{"primaryKey":"p1","uriRepresentation":"x:y","isTemporary":false,"#
            + #""storeIdentifier":"S","entityName":"\#(name)"}}"#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PersistentIdentifier.self, from: Data(json.utf8))
        }
    }
}
