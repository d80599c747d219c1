import CoreData
import Foundation
import Testing

/// Compiles only if the types can be named in a file that imports both modules.
@Suite("Files that import Foundation and CoreData")
struct BothImportsTests {
    let predicates: [NSPredicate] = [NSPredicate(format: "a == %@", 1), NSPredicate(value: true)]
    let sort: [NSSortDescriptor] = [NSSortDescriptor(key: "a", ascending: true)]

    let expression: NSExpression = NSExpression(forKeyPath: "a")

    @Test("name expressions and comparisons as types, whichever module comes first")
    func types() {
        func isComparison(_ predicate: NSPredicate) -> Bool { predicate is NSComparisonPredicate }
        #expect(predicates.map(isComparison) == [true, false])
        let comparison: NSComparisonPredicate? = predicates.first as? NSComparisonPredicate
        let left: NSExpression? = comparison?.leftExpression
        #expect(left == expression && expression.expressionType == .keyPath)
        #expect(comparison?.predicateOperatorType == NSComparisonPredicate.Operator.equalTo)
    }

    @Test("name predicates, compound predicates and sort descriptors, and make expressions")
    func names() {
        let both: NSCompoundPredicate = NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
        #expect(both.formatText == "a == 1 AND TRUEPREDICATE")
        #expect(both.evaluate(with: ["a": 1]) && !both.evaluate(with: ["a": 2]))
        let comparison = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"), rightExpression: NSExpression(forConstantValue: 5),
            modifier: .direct, type: .lessThan, options: [])
        #expect(comparison.formatText == "a < 5")
        #expect(sort.first?.key == "a")
    }
}
