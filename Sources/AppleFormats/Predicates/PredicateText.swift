import ObjectGraph

/// The text of an archived predicate in the predicate format. An unsupported part becomes its class name in angle
/// brackets, which no parser accepts, so that the predicate fails instead of changing its meaning.
enum PredicateText {
    private static let depthLimit = 32

    static func text(of predicate: ArchivedObject, _ budget: TextBudget) -> String {
        text(of: predicate, depth: 0, budget)
    }

    private static func text(of predicate: ArchivedObject, depth: Int, _ budget: TextBudget) -> String {
        guard depth < depthLimit, budget.take() else { return budget.placeholder(predicate.className) }
        switch predicate.className {
        case "NSTruePredicate": return "TRUEPREDICATE"
        case "NSFalsePredicate": return "FALSEPREDICATE"
        case "NSComparisonPredicate": return comparison(predicate, depth: depth + 1, budget)
        case "NSCompoundPredicate": return compound(predicate, depth: depth + 1, budget)
        default: return budget.placeholder(predicate.className)
        }
    }

    /// Types 0, 1 and 2: not, and, or.
    private static func compound(_ predicate: ArchivedObject, depth: Int, _ budget: TextBudget) -> String {
        let parts = predicate.objects("NSSubpredicates").map { "(" + text(of: $0, depth: depth, budget) + ")" }
        switch predicate.integer("NSCompoundPredicateType") ?? 0 {
        case 0: return parts.first.map { "NOT " + $0 } ?? budget.placeholder(predicate.className)
        case 1: return parts.isEmpty ? "TRUEPREDICATE" : parts.joined(separator: " AND ")
        case 2: return parts.isEmpty ? "FALSEPREDICATE" : parts.joined(separator: " OR ")
        default: return budget.placeholder(predicate.className)
        }
    }

    private static func comparison(_ predicate: ArchivedObject, depth: Int, _ budget: TextBudget) -> String {
        guard let left = predicate.object("NSLeftExpression"), let right = predicate.object("NSRightExpression"),
            let comparison = predicate.object("NSPredicateOperator"),
            let sign = sign(comparison.integer("NSOperatorType") ?? 0)
        else { return budget.placeholder(predicate.className) }
        let modifier =
            switch comparison.integer("NSModifier") ?? 0 {
            case 1: "ALL "
            case 2: "ANY "
            default: ""
            }
        let options = options(comparison.integer("NSOptions") ?? comparison.integer("NSFlags") ?? 0)
        return modifier + expression(left, depth: depth, budget) + " " + sign + options + " "
            + expression(right, depth: depth, budget)
    }

    private static func sign(_ type: Int64) -> String? {
        switch type {
        case 0: "<"
        case 1: "<="
        case 2: ">"
        case 3: ">="
        case 4: "=="
        case 5: "!="
        case 6: "MATCHES"
        case 7: "LIKE"
        case 8: "BEGINSWITH"
        case 9: "ENDSWITH"
        case 10: "IN"
        case 99: "CONTAINS"
        case 100: "BETWEEN"
        default: nil
        }
    }

    private static func options(_ bits: Int64) -> String {
        let letters = [(Int64(1), "c"), (2, "d"), (4, "n"), (8, "l")].filter { bits & $0.0 != 0 }.map(\.1).joined()
        return letters.isEmpty ? "" : "[\(letters)]"
    }

    // MARK: Expressions

    static func text(ofExpression expression: ArchivedObject, _ budget: TextBudget) -> String {
        self.expression(expression, depth: 0, budget)
    }

    private static func expression(_ expression: ArchivedObject, depth: Int, _ budget: TextBudget) -> String {
        guard depth < depthLimit, budget.take() else { return budget.placeholder(expression.className) }
        let next = depth + 1
        switch expression.className {
        case "NSConstantValueExpression":
            return constant(expression.fields["NSConstantValue"], expression, depth: next, budget)
        case "NSAggregateExpression":
            let parts = expression.objects("NSCollection").map { self.expression($0, depth: next, budget) }
            return "{" + parts.joined(separator: ", ") + "}"
        case "NSKeyPathExpression":
            let path = expression.objects("NSArguments").map { self.expression($0, depth: next, budget) }
                .joined(separator: ".")
            guard let operand = expression.object("NSOperand"), operand.className != "NSSelfExpression" else {
                return path
            }
            return self.expression(operand, depth: next, budget) + "." + path
        case "NSFunctionExpression": return function(expression, depth: next, budget)
        case "NSFetchRequestExpression": return fetch(expression, depth: next, budget)
        default:
            return DerivationText.text(of: expression, budget) ?? ""
        }
    }

    /// A function of the predicate language, or a method call on the operand. Functions of the language have one of
    /// Foundation's classes as their operand.
    private static func function(_ function: ArchivedObject, depth: Int, _ budget: TextBudget) -> String {
        let parts = function.objects("NSArguments").map { expression($0, depth: depth, budget) }
        let name = budget.allowing(function.string("NSSelectorName") ?? "")
        guard let operand = function.object("NSOperand"), operand.string("NSConstantValueClassName") == nil else {
            return name + "(\(parts.joined(separator: ", ")))"
        }
        let target = expression(operand, depth: depth, budget)
        return "FUNCTION(" + ([target, quoted(name)] + parts).joined(separator: ", ") + ")"
    }

    private static func fetch(_ fetch: ArchivedObject, depth: Int, _ budget: TextBudget) -> String {
        guard let request = fetch.object("NSFRExpression"), let context = fetch.object("NSMOCExpression") else {
            return budget.placeholder(fetch.className)
        }
        return "FETCH(\(expression(request, depth: depth, budget)), \(expression(context, depth: depth, budget)), NO)"
    }

    private static func constant(_ value: PropertyList?, _ expression: ArchivedObject, depth: Int, _ budget: TextBudget)
        -> String
    {
        let archive = expression.archive
        guard depth < depthLimit, budget.take(), let resolved = archive.resolve(value) else { return "nil" }
        if let text = archive.string(value) { return quoted(budget.allowing(text)) }
        if let elements = archive.elements(value) {
            return "{" + elements.map { constant($0, expression, depth: depth + 1, budget) }.joined(separator: ", ")
                + "}"
        }
        switch resolved {
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .boolean(let flag): return flag ? "YES" : "NO"
        default: break
        }
        // Dates are archived in seconds since 2001-01-01 UTC.
        if case .real(let seconds)? = archive.object(value)?.value("NS.time") { return "CAST(\(seconds), \"NSDate\")" }
        return budget.placeholder(archive.object(value)?.className ?? "constant")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacingScalar("\\", with: "\\\\").replacingScalar("\"", with: "\\\"") + "\""
    }
}
