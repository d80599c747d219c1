import Foundation
import ObjectGraph

extension NSPredicate {
    /// The condition of a `#Predicate`, for a fetch request.
    ///
    /// - Returns: `nil` for one that the predicate language cannot express, such as a call of a function or a key path that names
    ///   no property; the part is logged.
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
