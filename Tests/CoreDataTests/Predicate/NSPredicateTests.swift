import CoreData
import Foundation
import Testing

@Suite("NSPredicate")
struct NSPredicateTests {
    @Test("a format with arguments is read, and written as text")
    func format() {
        let predicate = NSPredicate(format: "name BEGINSWITH[c] %@ AND age > %d", "a", 17)
        #expect(predicate.predicateFormat == "name BEGINSWITH[c] \"a\" AND age > 17")
    }
}
