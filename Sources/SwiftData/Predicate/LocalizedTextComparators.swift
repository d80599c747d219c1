#if !canImport(Darwin)
import Foundation
import ObjectGraph

/// A comparator of texts in a localized order, for sort descriptors, key path comparators and arrays of texts:
/// `names.sorted(using: .localizedStandard)`. On this system, Foundation's `String.StandardComparator` lacks these orders.
public struct LocalizedTextComparator: SortComparator, Hashable, Codable, Sendable {
    fileprivate enum Kind: String, Codable { case localized, localizedStandard }
    fileprivate let kind: Kind
    /// The direction of the comparison. The default is `.forward`.
    public var order: SortOrder = .forward

    /// The order in which a file manager lists names: numbers by value, case second.
    public static let localizedStandard = LocalizedTextComparator(kind: .localizedStandard)
    /// The order of the current locale.
    public static let localized = LocalizedTextComparator(kind: .localized)

    /// Returns the order of two texts.
    /// - Parameters:
    ///   - lhs: A text.
    ///   - rhs: Another text.
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
    /// The order in which a file manager lists names: numbers by value, case second.
    public static var localizedStandard: LocalizedTextComparator { LocalizedTextComparator(kind: .localizedStandard) }
    /// The order of the current locale.
    public static var localized: LocalizedTextComparator { LocalizedTextComparator(kind: .localized) }
}

extension SortDescriptor {
    /// Creates a sort descriptor for a text property, with a localized order.
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - comparator: The order of the texts.
    ///   - order: The direction.
    public init(
        _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedTextComparator,
        order: SortOrder = .forward
    ) {
        switch comparator.kind {
        case .localized: self.init(joined(keyPath, \.inLocalizedOrder), order: order)
        case .localizedStandard: self.init(joined(keyPath, \.inLocalizedStandardOrder), order: order)
        }
    }

    /// Creates a sort descriptor for an optional text property, with a localized order.
    /// - Parameters:
    ///   - keyPath: The property. Nil comes first in forward order.
    ///   - comparator: The order of the texts.
    ///   - order: The direction.
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
    /// Creates a sort descriptor for a text property of a model, in the order in which a file manager lists names
    /// (`.localizedStandard`), as Foundation does on Apple's systems if no comparator is given.
    ///
    /// No index serves this order: a fetch compares every row that its predicate finds. `comparator: .lexical` sorts by
    /// bytes, for which `#Index` helps.
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - order: The direction.
    public init(_ keyPath: any KeyPath<Compared, String> & Sendable, order: SortOrder = .forward) {
        self.init(keyPath, comparator: .localizedStandard, order: order)
    }

    /// Creates a sort descriptor for an optional text property of a model, in the order in which a file manager lists names
    /// (`.localizedStandard`). Nil comes first in forward order.
    ///
    /// No index serves this order: a fetch compares every row that its predicate finds. `comparator: .lexical` sorts by
    /// bytes, for which `#Index` helps.
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - order: The direction.
    public init(_ keyPath: any KeyPath<Compared, String?> & Sendable, order: SortOrder = .forward) {
        self.init(keyPath, comparator: .localizedStandard, order: order)
    }
}

/// Appends a sendable key path to another. The result captures nothing that either does not, so it is sendable too; the
/// standard library's type does not express that.
private func joined<Root, Middle, Leaf>(
    _ first: any KeyPath<Root, Middle> & Sendable, _ second: any KeyPath<Middle, Leaf> & Sendable
) -> any KeyPath<Root, Leaf> & Sendable {
    unsafeBitCast(
        (first as KeyPath<Root, Middle>).appending(path: second as KeyPath<Middle, Leaf>),
        to: (any KeyPath<Root, Leaf> & Sendable).self)
}
#endif
