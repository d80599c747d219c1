import Foundation
import ObjectGraph
import PredicateFormat

/// Keys for Foundation's class: what objects are sorted by, which way round, and how texts compare. There is no class of
/// the name in this module, so that files may import both modules.
///
/// ```swift
/// request.sortDescriptors = [
///     NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
/// ]
/// ```
///
/// Nil sorts before every value when ascending, after when descending. Texts sort by their bytes unless a selector says
/// otherwise: `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:`,
/// `localizedStandardCompare:`.
extension NSSortDescriptor {
    /// Sorts by the values at a key path; without one, by the objects themselves.
    public convenience init(key: String?, ascending: Bool) {
        self.init(KeyedSortDescriptor(key: key, ascending: ascending, selector: "compare:", ordering: .values))
    }

    /// Sorts by the values at a key path; a selector says how texts compare. With one that is not known, a fetch
    /// request throws and other sorting goes by `compare:`.
    public convenience init(key: String?, ascending: Bool, selector: Selector?) {
        self.init(
            KeyedSortDescriptor(key: key, ascending: ascending, selector: selector ?? "compare:", ordering: .values))
    }

    /// Sorts by what a closure says of the values at a key path. A store cannot sort by it.
    public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self.init(
            KeyedSortDescriptor(key: key, ascending: ascending, selector: nil, ordering: .comparator(comparator)))
    }

    /// Sorts by a property of a class. A store can sort by it if the property's name can be found out.
    public convenience init<Root: NSObject, Value: Comparable>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(KeyedSortDescriptor(keyPath, ascending: ascending, selector: "compare:", comparator: nil))
    }

    /// Sorts by a property of a class. A store can sort by it if the property's name can be found out.
    public convenience init<Root: NSObject, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(KeyedSortDescriptor(keyPath, ascending: ascending, selector: "compare:", comparator: nil))
    }

    /// Sorts by what a closure says of a property of a class. A store cannot sort by it.
    public convenience init<Root: NSObject, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator: @escaping Comparator
    ) {
        self.init(KeyedSortDescriptor(keyPath, ascending: ascending, selector: nil, comparator: comparator))
    }

    convenience init(_ made: KeyedSortDescriptor) {
        if let made = made as? Self {
            self.init(replacedBy: made)
        } else {
            // A program's own subclass.
            self.init(keyPath: \Any.self, ascending: made.ascending, comparator: made.objectComparator)
        }
    }

    /// The key path; `nil` for one that sorts by the object itself, and where a Swift key path has no name.
    public var key: String? { (self as? KeyedSortDescriptor)?.sortedKey }

    /// The method that compares; `compare:` unless one was given, `nil` for a closure.
    public var selector: Selector? { (self as? KeyedSortDescriptor)?.sortedSelector }

    /// Nothing here needs permission: a decoded sort descriptor names properties only.
    public func allowEvaluation() {}
}

extension Foundation.NSSortDescriptor: Replaceable {}

extension NSSortDescriptor {
    /// The order for objects of an entity.
    /// - Throws: `FormatTranslationError` for a closure, for an unknown selector, and for a key path that leads to no
    ///   stored value.
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
