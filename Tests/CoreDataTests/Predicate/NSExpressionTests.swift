import CoreData
import Foundation
import Testing

@Suite("NSExpression")
struct NSExpressionTests {
    @Test("a format is evaluated")
    func calculation() {
        func number(_ format: String) -> Double? {
            let value = NSExpression(format: format).expressionValue(with: ["a": 5, "b": [1, 2, 6]], context: nil)
            return (value as? Double) ?? (value as? Int).map(Double.init)
        }
        #expect(number("1 + 2 * 3") == 7)
        #expect(number("7 / 2") == 3)
        #expect(number("7 / 2.0") == 3.5)
        #expect(number("a ** 2 - 1") == 24)
        #expect(number("sum(b) + b.@avg + b[LAST]") == 18)
        #expect(number("median(b)") == 2)
        #expect(number("stddev({2, 4, 4, 4, 5, 5, 7, 9})") == 2)
        #expect(number("max({1, a, 3})") == 5)
        #expect(number("TERNARY(a > 3, 1, 2)") == 1)
        #expect(number("length('Zoë')") == 3)
        #expect(number("CAST(CAST(5, 'NSDate'), 'NSNumber')") == 5)
        #expect(number("bitwiseAnd:with:(6, 3)") == 2)
    }

    @Test("every initializer's arguments are returned by the accessors")
    func constructors() throws {
        let path = NSExpression(forKeyPath: "a.b")
        #expect(path.expressionType == .keyPath && path.keyPath == "a.b")
        let constant = NSExpression(forConstantValue: 5)
        #expect(constant.expressionType == .constantValue && constant.constantValue as? Int == 5)
        #expect(NSExpression(forConstantValue: nil).constantValue == nil)
        let variable = NSExpression(forVariable: "x")
        #expect(variable.expressionType == .variable && variable.variable == "x" && variable.description == "$x")
        let sum = NSExpression(forFunction: "add:to:", arguments: [path, constant])
        #expect(sum.expressionType == .function && sum.function == "add:to:" && sum.arguments?.count == 2)
        #expect(sum.description == "a.b + 5")
        let list = NSExpression(forAggregate: [constant, path])
        #expect(list.expressionType == .aggregate && (list.collection as? [NSExpression])?.count == 2)
        let subquery = NSExpression(
            forSubquery: path, usingIteratorVariable: "x", predicate: NSPredicate(format: "$x > 2"))
        #expect(subquery.expressionType == .subquery && subquery.variable == "x")
        #expect(subquery.predicate.formatText == "$x > 2")
        #expect((subquery.collection as? NSExpression)?.keyPath == "a.b")
        let union = NSExpression(forUnionSet: path, with: list)
        #expect(union.expressionType == .unionSet && union.left == path && union.right == list)
        #expect(NSExpression(forIntersectSet: path, with: list).expressionType == .intersectSet)
        #expect(NSExpression(forMinusSet: path, with: list).expressionType == .minusSet)
        let choice = NSExpression(
            forConditional: NSPredicate(value: true), trueExpression: constant, falseExpression: path)
        #expect(choice.expressionType == .conditional && choice.true == constant && choice.false == path)
        let block = NSExpression(
            block: { object, arguments, _ in (object as? Int ?? 0) + arguments.count }, arguments: [path])
        #expect(block.expressionType == .block && block.expressionValue(with: 4, context: nil) as? Int == 5)
        #expect(NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
        let call = NSExpression(forFunction: constant, selectorName: "length", arguments: nil)
        #expect(call.function == "length" && call.operand == constant)
        #expect(path.function.isEmpty && constant.keyPath.isEmpty)
    }

    @Test("values of the context are substituted for variables")
    func context() {
        let context = NSMutableDictionary(dictionary: ["x": 3])
        let value = NSExpression(format: "$x * 2").expressionValue(with: nil, context: context)
        #expect(value as? Int == 6)
    }

    @Test("a malformed text is an error")
    func malformed() {
        #expect(throws: PredicateFormatError.self) { try NSExpression(validating: "1 +") }
        #expect(throws: PredicateFormatError.self) { try NSExpression(validating: "a == 1") }
        #expect(NSExpression(format: "1 +").expressionValue(with: nil, context: nil) == nil)
    }

    @Test("an archive contains the same expression; archiving one with code throws, and the process continues")
    func archives() throws {
        func archived(_ expression: NSExpression) throws -> NSExpression? {
            let data = try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
            return try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data)
        }
        let expressions = [
            NSExpression(forConstantValue: Double.infinity), NSExpression(forKeyPath: "first-name"),
            NSExpression(format: "%K + 5.0 / 2", "a b"), NSExpression(forConstantValue: true),
            NSExpression(format: "SUBQUERY(a, $x, $x.%K == 1).@count", "first-name"),
            NSExpression(forConstantValue: Decimal(string: "1.00000000000000000001")), NSExpression(format: "a[0].b"),
        ]
        for expression in expressions { #expect(try archived(expression) == expression, "\(expression)") }
        let code = NSExpression(block: { _, _, _ in nil }, arguments: nil)
        #expect(throws: CocoaError.self) { try archived(code) }
    }
}
