import Foundation
import ObjectGraph
import PredicateFormat

/// A predicate parsed from a format that is no comparison or compound.
final class ReadPredicate: Foundation.NSPredicate, TreeBacked {
    let backingTree: FormatPredicate

    init(tree: FormatPredicate) {
        backingTree = tree
        super.init(value: false)
    }

    override var predicateFormat: String { backingTree.description }
    override var description: String { backingTree.description }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        FormatEvaluator(variables: bindings ?? [:]).test(backingTree, of: object)
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { (object as? Foundation.NSPredicate)?.tree == backingTree }
    override var hash: Int { backingTree.hashValue }
}

/// A compound predicate parsed from a format. Adds the members that Foundation's class does not implement.
final class ReadCompoundPredicate: Foundation.NSCompoundPredicate {
    override init(type: LogicalType, subpredicates: [Foundation.NSPredicate]) {
        super.init(type: type, subpredicates: subpredicates)
    }

    override var predicateFormat: String { compoundTree.description }
    override var description: String { compoundTree.description }

    override func copy(with zone: NSZone? = nil) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { (object as? Foundation.NSPredicate)?.tree == compoundTree }
    override var hash: Int { compoundTree.hashValue }
}
