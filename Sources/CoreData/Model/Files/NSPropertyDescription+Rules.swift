import Foundation
import ObjectGraph

extension NSPropertyDescription {
    /// Sets the validation predicates of a model file. A predicate that cannot be read is left out and logged: a rule that no value
    /// satisfies would prevent all saves.
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
