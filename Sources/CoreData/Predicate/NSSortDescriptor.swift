import Foundation
import ObjectGraph

/// What objects are sorted by: a key path, which way round, and how texts compare.
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
open class NSSortDescriptor: NSObject, NSCopying, NSSecureCoding {
    /// The key path; `nil` sorts by the object itself, and where a Swift key path has no name.
    public let key: String?
    public let ascending: Bool
    /// The method that compares; `compare:` unless one was given.
    public let selector: Selector?
    private let ordering: Ordering

    private enum Ordering {
        case values
        /// By a closure of the program's.
        case comparator(Comparator)
        /// By a Swift key path, which may lead to anything.
        case keyPath((Any) -> Any?, Comparator?)
    }

    private init(key: String?, ascending: Bool, selector: Selector?, ordering: Ordering) {
        self.key = key
        self.ascending = ascending
        self.selector = selector
        self.ordering = ordering
    }

    /// Sorts by the values at a key path.
    public convenience init(key: String?, ascending: Bool) {
        self.init(key: key, ascending: ascending, selector: "compare:", ordering: .values)
    }

    /// Sorts by the values at a key path; a selector says how texts compare. With one that is not known, a fetch
    /// request throws and other sorting goes by `compare:`.
    public convenience init(key: String?, ascending: Bool, selector: Selector?) {
        self.init(key: key, ascending: ascending, selector: selector ?? "compare:", ordering: .values)
    }

    /// Sorts by what a closure says of the values at a key path. A store cannot sort by it.
    public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self.init(key: key, ascending: ascending, selector: nil, ordering: .comparator(comparator))
    }

    /// Sorts by a property of a Swift class. A store can sort by it if the key path's name can be found out.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(
            key: KeyPathText.text(of: keyPath), ascending: ascending, selector: "compare:",
            ordering: .keyPath({ ($0 as? Root)?[keyPath: keyPath] }, nil))
    }

    /// Sorts by what a closure says of a property of a Swift class. A store cannot sort by it.
    public convenience init<Root, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator: @escaping Comparator
    ) {
        self.init(
            key: KeyPathText.text(of: keyPath), ascending: ascending, selector: nil,
            ordering: .keyPath({ ($0 as? Root)?[keyPath: keyPath] }, comparator))
    }

    /// The closure that compares two values of the key.
    open var comparator: Comparator {
        switch ordering {
        case .comparator(let comparator), .keyPath(_, let comparator?): return comparator
        case .values, .keyPath(_, nil):
            let order = textOrder ?? .binary
            return { FormatEvaluator.order($0, $1, texts: order) }
        }
    }

    /// How two objects sort.
    open func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        let (first, second) = (value(of: object1), value(of: object2))
        let result: ComparisonResult =
            switch (first, second, ordering) {
            case (let first?, let second?, _): comparator(first, second)
            // A closure is never asked about nil.
            case (nil, nil, _): .orderedSame
            case (nil, _, _): .orderedAscending
            case (_, nil, _): .orderedDescending
            }
        return ascending ? result : result.reversed
    }

    private func value(of object: Any) -> Any? {
        if case .keyPath(let read, _) = ordering, let value = read(object) {
            return FormatEvaluator.unwrapped(value)
        }
        guard let key else { return object }
        return FormatEvaluator().value(.keyPath(key), of: object)
    }

    /// The same the other way round.
    open var reversedSortDescriptor: Any {
        NSSortDescriptor(key: key, ascending: !ascending, selector: selector, ordering: ordering)
    }

    /// Nothing here needs permission: a decoded sort descriptor names properties only.
    open func allowEvaluation() {}

    // MARK: Copying, equality, archives

    open override func copy() -> Any { self }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// By key, direction and selector; sort descriptors with a closure equal themselves only.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSSortDescriptor else { return false }
        if other === self { return true }
        return !hasComparator && !other.hasComparator && key == other.key && key != nil
            && ascending == other.ascending && selector == other.selector
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(ascending)
        return hasher.finalize()
    }

    open override var description: String {
        "(\(key ?? "SELF"), \(ascending ? "ascending" : "descending"), \(selector?.description ?? "comparator"))"
    }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        key = coder.decodeObject(of: NSString.self, forKey: "key").map { String(describing: $0) }
        ascending = coder.decodeBool(forKey: "ascending")
        selector = coder.decodeObject(of: NSString.self, forKey: "selector").map { Selector(String(describing: $0)) }
        ordering = .values
    }

    /// One with a closure cannot be archived; the coder is told so.
    open func encode(with coder: NSCoder) {
        guard !hasComparator, let key else { return FormatArchive.fail(coder, "a sort descriptor without a key") }
        coder.encode(NSString(string: key), forKey: "key")
        coder.encode(ascending, forKey: "ascending")
        coder.encode((selector?.description).map { NSString(string: $0) }, forKey: "selector")
    }
}

extension NSSortDescriptor {
    fileprivate var hasComparator: Bool {
        switch ordering {
        case .comparator, .keyPath(_, .some): true
        case .values, .keyPath(_, nil): false
        }
    }

    /// How the selector compares texts; `nil` for one that is not known.
    package var textOrder: TextOrder? {
        switch selector?.description {
        case nil, "compare:": .binary
        case "caseInsensitiveCompare:": .caseInsensitive
        case "localizedCompare:": .localized
        case "localizedCaseInsensitiveCompare:": .localizedCaseInsensitive
        case "localizedStandardCompare:": .localizedStandard
        default: nil
        }
    }

    /// The order for objects of an entity.
    /// - Throws: `FormatTranslationError` for a closure, for an unknown selector, and for a key path that leads to no
    ///   stored value.
    package func sortKey(on entity: Entity, in model: Model) throws(FormatTranslationError) -> SortKey {
        guard !hasComparator else {
            throw .unsupported(construct: "a sort descriptor with a comparator", reason: "it is code of the program")
        }
        guard let key else {
            throw .unsupported(construct: "a sort descriptor without a key", reason: "it names no property")
        }
        guard let textOrder else {
            throw .unsupported(
                construct: "the selector '\(selector?.description ?? "")'", reason: "there are no methods by name")
        }
        return try SortKey(keyPath: key, on: entity, in: model, ascending: ascending, textOrder: textOrder)
    }
}

extension ComparisonResult {
    fileprivate var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}
