import Foundation
import ObjectGraph

extension NSPropertyDescription {
    /// Takes a model file's validation predicates. One that cannot be read is left out and told of in the log: a rule that
    /// nothing could satisfy would let no object be saved.
    func setRules(_ formats: [String], _ warnings: [Any]) {
        var (rules, kept): ([NSPredicate], [Any]) = ([], [])
        for (index, format) in formats.enumerated() {
            do {
                rules.append(try NSPredicate(validating: format))
                kept.append(warnings.indices.contains(index) ? warnings[index] : NSNull())
            } catch {
                CoreDataLog.logger.warning(
                    "A validation rule of '\(entity.name ?? "").\(name)' is not applied. \(error)")
            }
        }
        if !rules.isEmpty { setValidationPredicates(rules, withValidationWarnings: kept) }
    }
}
