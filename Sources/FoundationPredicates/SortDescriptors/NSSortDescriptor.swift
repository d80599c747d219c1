import Foundation
import ObjectGraph
import PredicateFormat

/// Initializers for Foundation's class with a key, a direction and a selector for comparing texts. This module declares
/// no class of the same name, so that files may import both modules.
///
/// ```swift
/// request.sortDescriptors = [
///     NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
/// ]
/// ```
///
/// Nil sorts before all values in ascending order, and after them in descending order. Texts are sorted by their bytes
/// unless a selector specifies another order: `caseInsensitiveCompare:`, `localizedCompare:`,
/// `localizedCaseInsensitiveCompare:`, `localizedStandardCompare:`.
extension NSSortDescriptor {
    /// Creates a sort descriptor for the values at a key path, or for the objects themselves without one.
    public convenience init(key: String?, ascending: Bool) {
        self.init(KeyedSortDescriptor(key: key, ascending: ascending, selector: "compare:", ordering: .values))
    }

    /// Creates a sort descriptor for the values at a key path, with a selector for comparing texts. With an unknown
    /// selector, a fetch request throws, and sorting in memory uses `compare:`.
    public convenience init(key: String?, ascending: Bool, selector: Selector?) {
        self.init(
            KeyedSortDescriptor(key: key, ascending: ascending, selector: selector ?? "compare:", ordering: .values))
    }

    /// Creates a sort descriptor that compares the values at a key path with a closure. A store cannot use it.
    public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self.init(
            KeyedSortDescriptor(key: key, ascending: ascending, selector: nil, ordering: .comparator(comparator)))
    }

    /// Creates a sort descriptor for a property of a class. A store can use it if the property's name can be
    /// determined.
    public convenience init<Root: NSObject, Value: Comparable>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(KeyedSortDescriptor(keyPath, ascending: ascending, selector: "compare:", comparator: nil))
    }

    /// Creates a sort descriptor for a property of a class. A store can use it if the property's name can be
    /// determined.
    public convenience init<Root: NSObject, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(KeyedSortDescriptor(keyPath, ascending: ascending, selector: "compare:", comparator: nil))
    }

    /// Creates a sort descriptor that compares the values of a property with a closure. A store cannot use it.
    public convenience init<Root: NSObject, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator: @escaping Comparator
    ) {
        self.init(KeyedSortDescriptor(keyPath, ascending: ascending, selector: nil, comparator: comparator))
    }

    convenience init(_ made: KeyedSortDescriptor) {
        if let made = made as? Self {
            self.init(replacedBy: made)
        } else {
            // An instance of a subclass that a program declares.
            self.init(keyPath: \Any.self, ascending: made.ascending, comparator: made.objectComparator)
        }
    }

    /// The key path; `nil` for a sort descriptor of the objects themselves, and if a Swift key path has no name.
    public var key: String? { (self as? KeyedSortDescriptor)?.sortedKey }

    /// The comparison method, by default `compare:`; `nil` for a closure.
    public var selector: Selector? { (self as? KeyedSortDescriptor)?.sortedSelector }

    /// Does nothing: a decoded sort descriptor contains only names of properties, so it needs no permission.
    public func allowEvaluation() {}
}

extension Foundation.NSSortDescriptor: Replaceable {}

extension NSSortDescriptor {
    /// Returns the sort key for objects of an entity.
    /// - Throws: `FormatTranslationError` for a closure, an unknown selector, and a key path to a value that is not
    ///   stored.
    package func sortKey(on entity: Entity, in model: Model) throws(FormatTranslationError) -> SortKey {
        guard let keyed = self as? KeyedSortDescriptor, !keyed.hasComparator else {
            throw .unsupported(construct: "a sort descriptor with a comparator", reason: "it is code of the program")
        }
        guard let key else {
            throw .unsupported(construct: "a sort descriptor without a key", reason: "it names no property")
        }
        guard let textOrder = keyed.textOrder else {
            throw .unsupported(
                construct: "the selector '\(selector?.description ?? "")'", reason: "there are no methods by name")
        }
        return try SortKey(keyPath: key, on: entity, in: model, ascending: ascending, textOrder: textOrder)
    }
}
