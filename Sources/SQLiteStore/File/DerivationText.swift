import Foundation

/// The text of an archived expression, as predicate format spells it: key paths plain, functions as `count:(pages)`.
///
/// Expressions beyond those met in files come out as their class name in angle brackets: such a text makes a version
/// hash that matches nothing, which is the safe answer.
enum DerivationText {
    private static let depthLimit = 32

    static func text(of expression: ArchivedObject?) -> String? {
        expression.map { text(of: $0, depth: 0) }
    }

    private static func text(of expression: ArchivedObject, depth: Int) -> String {
        guard depth < depthLimit else { return "<\(expression.className)>" }
        let next = depth + 1
        switch expression.className {
        case "NSSelfExpression": return "SELF"
        case "NSVariableExpression": return "$" + (expression.string("NSVariable") ?? "")
        case "NSKeyPathSpecifierExpression": return expression.string("NSKeyPath") ?? ""
        case "NSConstantValueExpression": return constant(expression)
        case "NSKeyPathExpression": return keyPath(expression, depth: next)
        case "NSFunctionExpression": return function(expression, depth: next)
        default: return "<\(expression.className)>"
        }
    }

    /// The path, after its operand unless that is the object itself.
    private static func keyPath(_ expression: ArchivedObject, depth: Int) -> String {
        let path = arguments(of: expression, depth: depth).joined(separator: ".")
        guard let operand = expression.object("NSOperand"), operand.className != "NSSelfExpression" else { return path }
        return text(of: operand, depth: depth) + "." + path
    }

    private static func function(_ expression: ArchivedObject, depth: Int) -> String {
        let selector = expression.string("NSSelectorName") ?? ""
        return "\(selector)(\(arguments(of: expression, depth: depth).joined(separator: ", ")))"
    }

    private static func arguments(of expression: ArchivedObject, depth: Int) -> [String] {
        expression.objects("NSArguments").prefix(depthLimit).map { text(of: $0, depth: depth) }
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
