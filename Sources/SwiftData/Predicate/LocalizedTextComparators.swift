#if !canImport(Darwin)
import Foundation
import ObjectGraph

/// The comparators that Foundation's `String.StandardComparator` lacks here, for sort descriptors, key path comparators
/// and arrays of texts: `names.sorted(using: .localizedStandard)`.
public struct LocalizedTextComparator: SortComparator, Hashable, Codable, Sendable {
    fileprivate enum Kind: String, Codable { case localized, localizedStandard }
    fileprivate let kind: Kind
    public var order: SortOrder = .forward

    /// As a file manager would list names: numbers by value, case second.
    public static let localizedStandard = LocalizedTextComparator(kind: .localizedStandard)
    /// The order of the current locale.
    public static let localized = LocalizedTextComparator(kind: .localized)

    public func compare(_ lhs: String, _ rhs: String) -> ComparisonResult {
        let textOrder: TextOrder =
            switch kind {
            case .localized: .localized
            case .localizedStandard: .localizedStandard
            }
        let difference = TextMatching.order(textOrder, lhs, rhs)
        if difference == 0 { return .orderedSame }
        return (difference < 0) == (order == .forward) ? .orderedAscending : .orderedDescending
    }
}

extension SortComparator where Self == LocalizedTextComparator {
    /// As a file manager would list names: numbers by value, case second.
    public static var localizedStandard: LocalizedTextComparator { LocalizedTextComparator(kind: .localizedStandard) }
    /// The order of the current locale.
    public static var localized: LocalizedTextComparator { LocalizedTextComparator(kind: .localized) }
}

extension SortDescriptor {
    public init(
        _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedTextComparator,
        order: SortOrder = .forward
    ) {
        switch comparator.kind {
        case .localized: self.init(joined(keyPath, \.inLocalizedOrder), order: order)
        case .localizedStandard: self.init(joined(keyPath, \.inLocalizedStandardOrder), order: order)
        }
    }

    public init(
        _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedTextComparator,
        order: SortOrder = .forward
    ) {
        switch comparator.kind {
        case .localized: self.init(joined(keyPath, \.inLocalizedOrder), order: order)
        case .localizedStandard: self.init(joined(keyPath, \.inLocalizedStandardOrder), order: order)
        }
    }
}

extension SortDescriptor where Compared: PersistentModel {
    /// Models in the order of a text of theirs, as a file manager would list it (`.localizedStandard`): what Foundation does on
    /// Apple's systems where no comparator is given.
    ///
    /// No index serves this order: a fetch compares every row that its predicate lets through. `comparator: .lexical` sorts by
    /// bytes, for which `#Index` helps.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
        self.init(keyPath, comparator: .localizedStandard, order: order)
    }

    /// The same for a text that may be nil, which comes first in forward order.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
        self.init(keyPath, comparator: .localizedStandard, order: order)
    }
}

/// A key path joined of two sendable ones captures nothing that either does not, so it is sendable too; the
/// standard library does not say so in its type.
private func joined<Root, Middle, Leaf>(
    _ first: any KeyPath<Root, Middle> & Sendable, _ second: any KeyPath<Middle, Leaf> & Sendable
) -> any KeyPath<Root, Leaf> & Sendable {
    unsafeBitCast(
        (first as KeyPath<Root, Middle>).appending(path: second as KeyPath<Middle, Leaf>),
        to: (any KeyPath<Root, Leaf> & Sendable).self)
}
#endif
