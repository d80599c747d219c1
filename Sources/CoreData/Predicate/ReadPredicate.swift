import Foundation
import ObjectGraph

/// A predicate without parts that a format gave.
final class ReadPredicate: Foundation.NSPredicate, NSSecureCoding, TreeBacked {
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

    static var supportsSecureCoding: Bool { true }

    init?(coder: NSCoder) {
        guard let tree = FormatArchive.predicate(from: coder) else { return nil }
        backingTree = tree
        super.init(value: false)
    }

    func encode(with coder: NSCoder) { FormatArchive.encode(backingTree, to: coder) }
}

/// A compound predicate that a format gave: Foundation's with what that leaves out.
final class ReadCompoundPredicate: Foundation.NSCompoundPredicate, NSSecureCoding {
    override init(type: LogicalType, subpredicates: [Foundation.NSPredicate]) {
        super.init(type: type, subpredicates: subpredicates)
    }

    override var predicateFormat: String { compoundTree.description }
    override var description: String { compoundTree.description }

    override func copy(with zone: NSZone? = nil) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { (object as? Foundation.NSPredicate)?.tree == compoundTree }
    override var hash: Int { compoundTree.hashValue }

    static var supportsSecureCoding: Bool { true }

    /// - Returns: `nil` for the archive of another kind of predicate.
    convenience init?(coder: NSCoder) {
        let tree = FormatArchive.predicate(from: coder)
        guard let tree, let compound = Foundation.NSPredicate.predicate(tree) as? NSCompoundPredicate else {
            return nil
        }
        self.init(type: compound.compoundPredicateType, subpredicates: compound.subpredicates)
    }

    func encode(with coder: NSCoder) { FormatArchive.encode(compoundTree, to: coder) }
}
