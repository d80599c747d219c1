import Foundation
import ObjectGraph
import PredicateFormat

/// A sort descriptor with a key, which Foundation's class does not support.
final class KeyedSortDescriptor: Foundation.NSSortDescriptor {
    let sortedKey: String?
    let sortedSelector: Selector?
    private let ordering: Ordering

    enum Ordering {
        case values
        /// By the program's comparator.
        case comparator(Comparator)
        /// By a Swift key path to any value.
        case keyPath((Any) -> Any?, Comparator?)
    }

    init(key: String?, ascending: Bool, selector: Selector?, ordering: Ordering) {
        sortedKey = key
        sortedSelector = selector
        self.ordering = ordering
        let order = Self.textOrder(of: selector) ?? .binary
        let comparator: Comparator =
            switch ordering {
            case .comparator(let comparator), .keyPath(_, let comparator?): comparator
            case .values, .keyPath(_, nil): { FormatEvaluator.order($0, $1, texts: order) }
            }
        // Foundation's implementation compares whole objects; the comparator reads the values of the key.
        super.init(keyPath: \Any.self, ascending: ascending, comparator: comparator)
    }

    convenience init<Root, Value>(
        _ keyPath: KeyPath<Root, Value>, ascending: Bool, selector: Selector?, comparator: Comparator?
    ) {
        self.init(
            key: KeyPathText.text(of: keyPath), ascending: ascending, selector: selector,
            ordering: .keyPath({ ($0 as? Root)?[keyPath: keyPath] }, comparator))
    }

    // MARK: Comparing

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        let result = objectComparator(object1, object2)
        return ascending ? result : result.reversed
    }

    /// The comparator for ascending order. Nil sorts first; the program's comparator is not called for nil.
    var objectComparator: Comparator {
        { object1, object2 in
            switch (self.value(of: object1), self.value(of: object2)) {
            case (let first?, let second?): self.comparator(first, second)
            case (nil, nil): .orderedSame
            case (nil, _): .orderedAscending
            case (_, nil): .orderedDescending
            }
        }
    }

    private func value(of object: Any) -> Any? {
        if case .keyPath(let read, _) = ordering { return read(object).flatMap(FormatEvaluator.unwrapped) }
        guard let sortedKey else { return object }
        return FormatEvaluator().value(.keyPath(sortedKey), of: object)
    }

    override var reversedSortDescriptor: Any {
        KeyedSortDescriptor(key: sortedKey, ascending: !ascending, selector: sortedSelector, ordering: ordering)
    }

    var hasComparator: Bool {
        switch ordering {
        case .comparator, .keyPath(_, .some): true
        case .values, .keyPath(_, nil): false
        }
    }

    /// The order of texts that the selector stands for; `nil` for an unknown selector.
    var textOrder: TextOrder? { Self.textOrder(of: sortedSelector) }

    private static func textOrder(of selector: Selector?) -> TextOrder? {
        switch selector?.description {
        case nil, "compare:": .binary
        case "caseInsensitiveCompare:": .caseInsensitive
        case "localizedCompare:": .localized
        case "localizedCaseInsensitiveCompare:": .localizedCaseInsensitive
        case "localizedStandardCompare:": .localizedStandard
        default: nil
        }
    }

    // MARK: Equality, archives

    /// Compares key, direction and selector. Sort descriptors with a comparator are equal only if they are identical.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeyedSortDescriptor else { return false }
        if other === self { return true }
        return !hasComparator && !other.hasComparator && sortedKey == other.sortedKey && sortedKey != nil
            && ascending == other.ascending && sortedSelector == other.sortedSelector
    }

    override var hash: Int {
        var hasher = Hasher()
        hasher.combine(sortedKey)
        hasher.combine(ascending)
        return hasher.finalize()
    }

    override var description: String {
        let selector = sortedSelector?.description ?? "comparator"
        return "(\(sortedKey ?? "SELF"), \(ascending ? "ascending" : "descending"), \(selector))"
    }

    convenience init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "ascending") else { return nil }
        let key = coder.decodeObject(of: NSString.self, forKey: "key")
        let selector = coder.decodeObject(of: NSString.self, forKey: "selector")
        self.init(
            key: key.map { String(describing: $0) }, ascending: coder.decodeBool(forKey: "ascending"),
            selector: selector.map { Selector(String(describing: $0)) }, ordering: .values)
    }

    /// Archiving throws if the sort descriptor has a comparator, or a Swift key path without a name.
    func encode(with coder: NSCoder) {
        guard !hasComparator, sortedKey != nil || sortsObjects else {
            return FormatArchive.fail(coder, "A sort descriptor without a key, or with a closure, is not archived.")
        }
        coder.encode(sortedKey.map { NSString(string: $0) }, forKey: "key")
        coder.encode(ascending, forKey: "ascending")
        coder.encode((sortedSelector?.description).map { NSString(string: $0) }, forKey: "selector")
    }

    /// Whether it sorts the objects themselves, as it has no key.
    private var sortsObjects: Bool {
        if case .values = ordering { true } else { false }
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
