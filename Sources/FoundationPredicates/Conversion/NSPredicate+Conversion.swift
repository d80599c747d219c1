import Foundation
import ObjectGraph

extension NSPredicate {
    /// Creates a predicate from a `#Predicate`, for a fetch request.
    ///
    /// - Returns: `nil` if the predicate language cannot express a part, such as a function call or a key path without
    ///   a property name; the part is logged.
    public convenience init?<Input: NSObject>(_ predicate: Predicate<Input>) {
        do {
            let conversion = PredicateConversion(root: predicate.variable.key)
            self.init(made: try conversion.condition(predicate.expression))
        } catch {
            MalformedFormats.report("A #Predicate of \(Input.self) has no format: \(error)")
            return nil
        }
    }
}
