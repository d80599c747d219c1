import ObjectGraph
import PredicateFormat

/// Lets a description stand in a predicate: `entity == %@`.
extension NSEntityDescription: EntityRepresentable {
    package var graphEntityName: String? { name }
}
