/// How an import treats rows that violate the model.
package struct ImportRules: Sendable {
    /// Links to rows that the source does not contain.
    package var outwardLinks = Rule.refuse
    /// Marks that an export wrote for unreadable values.
    package var lostValues = Rule.refuse

    package enum Rule: Sendable {
        case refuse
        case omit
    }

    /// Rows without a mandatory value or link, or with too few or too many members.
    package var violations = Violations.refuse

    package enum Violations: Sendable {
        case refuse
        /// Accepts violations, as in files written by apps. A one-to-one relationship is then set only at the ends that
        /// mention it, not at both.
        case accept
    }

    package init() {}
}

/// Violated rules of the model, collected so that one message names all of them.
struct ImportViolations {
    private struct Rule: Hashable {
        let entity: String
        let property: String
        let reason: String
    }

    private struct Rows {
        var count: Int
        let firstOrigin: String
    }

    private var rules: [Rule] = []
    private var rows: [Rule: Rows] = [:]

    private static let longestList = 20

    mutating func add(_ entity: String, _ property: String, _ reason: String, _ origin: String, count: Int = 1) {
        let rule = Rule(entity: entity, property: property, reason: reason)
        if rows[rule] == nil {
            rules.append(rule)
            rows[rule] = Rows(count: 0, firstOrigin: origin)
        }
        rows[rule]?.count += count
    }

    /// - Throws: `InspectionError.badInput` if there are any violations.
    func check() throws {
        guard !rules.isEmpty else { return }
        throw InspectionError.badInput(message)
    }

    private static let advice = "give --as-is to import rows that break the model's rules as they are"

    private var message: String {
        let found = rules.prefix(Self.longestList).compactMap { rule in rows[rule].map { (rule, $0) } }
        if let (rule, rows) = found.first, rules.count == 1, rows.count == 1 {
            return "'\(rule.entity).\(rule.property)' of \(rows.firstOrigin) \(rule.reason); \(Self.advice)."
        }
        let lines = found.map { rule, rows in
            let others = rows.count > 1 ? " and \(Amounts.count(rows.count - 1)) more" : ""
            return "\n  '\(rule.entity).\(rule.property)' of \(rows.firstOrigin)\(others) \(rule.reason)"
        }
        let rest = rules.count > found.count ? "\n  … and \(Amounts.count(rules.count - found.count, "more rule"))" : ""
        return "The rows break \(Amounts.count(rules.count, "rule")) of the model:\(lines.joined())\(rest)\n"
            + "\(Self.advice.prefix(1).uppercased() + Self.advice.dropFirst())."
    }
}
