#if !canImport(Darwin)
import Foundation
import Testing

@testable import SwiftData

@Suite struct LocalizedComparatorTests {
    @Test("DV70 Foundation has no standard comparator but the lexical one", arguments: [0, 1, 64, 65])
    func otherComparators(options: Int) throws {
        let json = Data(#"{"options": \#(options), "isLocalized": true, "order": true}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(String.StandardComparator.self, from: json) }
    }
}
#endif
