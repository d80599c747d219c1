import ObjectGraph
import PredicateFormat

/// Lets a description be an argument of a predicate: `entity == %@`.
extension NSEntityDescription: EntityRepresentable {
    package var graphEntityName: String? { name }
}
