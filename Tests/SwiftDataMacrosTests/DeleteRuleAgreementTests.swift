import ObjectGraph
import Testing

@testable import SwiftDataMacros

/// The macro checks the source of a class, and the lint a model.
@Suite struct DeleteRuleAgreementTests {
    private static let types = ["Node", "Node?", "[Node]"]

    /// One end of a relationship of a class with itself.
    private struct End {
        let rule: DeleteRule
        let type: String

        func source(_ name: String, inverse: String? = nil) -> String {
            let inverse = inverse.map { #", inverse: \Node.\#($0)"# } ?? ""
            return "    @Relationship(deleteRule: .\(rule)\(inverse)) var \(name): \(type)\n"
        }

        func relationship(_ name: String, inverse: String) -> Relationship {
            Relationship(
                name, to: "Node", type == "[Node]" ? .toMany : .toOne, inverse: inverse, deleteRule: rule,
                optional: type != "Node")
        }
    }

    @Test("The macro and the lint report the same of all rules at both ends", arguments: types, types)
    func agreement(first: String, second: String) throws {
        for rule in DeleteRule.allCases {
            for inverseRule in DeleteRule.allCases {
                let (one, other) = (End(rule: rule, type: first), End(rule: inverseRule, type: second))
                let source =
                    "@Model class Node {\n" + one.source("one", inverse: "other") + other.source("other")
                    + "    init() {}\n}"
                var node = EntityDescription("Node")
                node.relationships = [
                    one.relationship("one", inverse: "other"), other.relationship("other", inverse: "one"),
                ]
                let reported = problems(in: source, Macros.model).map { $0.split(separator: " ").last.map(String.init) }
                #expect(
                    reported == DeleteRuleLint.warnings(of: try Model([node])).map(\.code),
                    "\(rule) \(first), \(inverseRule) \(second)")
            }
        }
    }
}
