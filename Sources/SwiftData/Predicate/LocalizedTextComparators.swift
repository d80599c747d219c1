#if !canImport(Darwin)
import Foundation
import ObjectGraph

/// The comparators that Foundation's `String.StandardComparator` lacks here, for
/// `SortDescriptor(\.name, comparator: .localizedStandard)`.
public struct LocalizedTextComparator: Hashable, Sendable {
    fileprivate enum Kind { case localized, localizedStandard }
    fileprivate let kind: Kind

    /// As a file manager would list names: numbers by value, case second.
    public static let localizedStandard = LocalizedTextComparator(kind: .localizedStandard)
    /// The order of the current locale.
    public static let localized = LocalizedTextComparator(kind: .localized)
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
