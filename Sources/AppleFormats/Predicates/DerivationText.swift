import Foundation

/// The text of an archived expression in the predicate format: plain key paths, and functions such as `count:(pages)`.
///
/// Unsupported expressions become their class name in angle brackets. Such a text gives a version hash that matches no
/// other, which is safe.
enum DerivationText {
    private static let depthLimit = 32

    static func text(of expression: ArchivedObject?, _ budget: TextBudget) -> String? {
        expression.map { text(of: $0, depth: 0, budget) }
    }

    private static func text(of expression: ArchivedObject, depth: Int, _ budget: TextBudget) -> String {
        guard depth < depthLimit, budget.take() else { return budget.placeholder(expression.className) }
        let next = depth + 1
        switch expression.className {
        case "NSSelfExpression": return "SELF"
        case "NSVariableExpression": return "$" + budget.allowing(expression.string("NSVariable") ?? "")
        case "NSKeyPathSpecifierExpression": return budget.allowing(expression.string("NSKeyPath") ?? "")
        case "NSConstantValueExpression": return budget.allowing(constant(expression))
        case "NSKeyPathExpression": return keyPath(expression, depth: next, budget)
        case "NSFunctionExpression": return function(expression, depth: next, budget)
        default: return budget.placeholder(expression.className)
        }
    }

    /// Returns the key path, after its operand unless that is the object itself.
    private static func keyPath(_ expression: ArchivedObject, depth: Int, _ budget: TextBudget) -> String {
        let path = arguments(of: expression, depth: depth, budget).joined(separator: ".")
        guard let operand = expression.object("NSOperand"), operand.className != "NSSelfExpression" else { return path }
        return text(of: operand, depth: depth, budget) + "." + path
    }

    private static func function(_ expression: ArchivedObject, depth: Int, _ budget: TextBudget) -> String {
        let selector = budget.allowing(expression.string("NSSelectorName") ?? "")
        return "\(selector)(\(arguments(of: expression, depth: depth, budget).joined(separator: ", ")))"
    }

    private static func arguments(of expression: ArchivedObject, depth: Int, _ budget: TextBudget) -> [String] {
        expression.objects("NSArguments").prefix(depthLimit).map { text(of: $0, depth: depth, budget) }
    }

    private static func constant(_ expression: ArchivedObject) -> String {
        if let text = expression.string("NSConstantValue") { return "\"\(text)\"" }
        switch expression.value("NSConstantValue") {
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .boolean(let flag): return flag ? "1" : "0"
        default: return expression.string("NSConstantValueClassName") ?? "nil"
        }
    }
}
