import Foundation
import Testing

@testable import CoreData

@Suite("Fetch request expressions")
struct FetchRequestExpressionTests {
    @Test("An expression evaluates to the results of its request, or to their count")
    func values() throws {
        let stack = try TestStack(model: ModelZoo.zoo())
        try stack.context.performAndWait {
            for legs in [2, 4, 4] { stack.insert("Animal", ["name": UUID().uuidString, "legs": legs]) }
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
            request.predicate = NSPredicate(format: "legs == 4")
            func expression(countOnly: Bool) -> NSExpression {
                NSFetchRequestExpression.expression(
                    forFetch: NSExpression(forConstantValue: request),
                    context: NSExpression(forConstantValue: stack.context), countOnly: countOnly)
            }
            let found = expression(countOnly: false).expressionValue(with: nil, context: nil) as? [NSManagedObject]
            #expect(found?.count == 2)
            #expect(expression(countOnly: true).expressionValue(with: nil, context: nil) as? Int == 2)
            let fetch = try #require(expression(countOnly: true) as? NSFetchRequestExpression)
            #expect(
                fetch.isCountOnlyRequest && fetch.requestExpression.constantValue is NSFetchRequest<NSManagedObject>)
            request.entity = nil
            #expect(expression(countOnly: true).expressionValue(with: nil, context: nil) == nil)
        }
    }
}
