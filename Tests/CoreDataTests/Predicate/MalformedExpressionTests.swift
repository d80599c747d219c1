import CoreData
import Foundation
import Testing

@Suite("Expressions whose format is malformed")
struct MalformedExpressionTests {
    private let malformed = NSExpression(format: "age *")

    @Test("CD2 A batch update with one throws, and leaves every row unchanged")
    func batchUpdate() throws {
        let stack = try TestStack()
        try stack.saveFamily(animals: 3)
        let request = NSBatchUpdateRequest(entityName: "Animal")
        request.propertiesToUpdate = ["age": malformed]
        let error = #expect(throws: (any Error).self) { try stack.context.execute(request) }
        #expect(error.map { "\($0)" }?.contains("Character") == true)
        #expect(try stack.count("Animal", NSPredicate(format: "age >= 0")) == 3)
    }

    @Test("CD2 A fetch with one as a computed column throws")
    func dictionaries() throws {
        let stack = try TestStack()
        try stack.saveFamily()
        let column = NSExpressionDescription()
        column.name = "more"
        column.expression = malformed
        let request = NSFetchRequest<NSDictionary>(entityName: "Animal")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [column]
        #expect(throws: (any Error).self) { try stack.context.fetch(request) }
    }

    @Test("CD2 A comparison with one is false, also with nil and under a NOT of a format")
    func comparison() throws {
        let comparison = NSComparisonPredicate(
            leftExpression: malformed, rightExpression: NSExpression(forConstantValue: nil), modifier: .direct,
            type: .equalTo)
        #expect(!comparison.evaluate(with: ["age": 1]))
        #expect(!NSPredicate(format: "NOT %@", comparison).evaluate(with: ["age": 1]))
        #expect(!NSPredicate(format: "%@ == nil", malformed).evaluate(with: ["age": 1]))
        #expect(throws: PredicateFormatError.self) {
            try NSPredicate(validating: "NOT %@", arguments: [NSPredicate(format: "age ==")])
        }
        let stack = try TestStack()
        let request = stack.request("Animal", comparison)
        #expect(throws: (any Error).self) { try stack.context.fetch(request) }
    }

    @Test("The value of one is nil, its text the original one, its type that of a block")
    func harmless() {
        #expect(malformed.expressionValue(with: ["age": 2], context: nil) == nil)
        #expect(malformed.description == "age *")
        #expect(malformed.expressionType == .block)
    }
}
