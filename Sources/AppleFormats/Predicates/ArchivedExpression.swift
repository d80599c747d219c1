import Foundation

/// An expression that is an archive of its own, as in files of mapping models.
package struct ArchivedExpression: Hashable, Sendable {
    /// The expression in the predicate format. An unsupported part becomes its class name in angle brackets, which no
    /// parser accepts.
    package let text: String

    /// - Throws: `ColumnArchiveError` for bytes without an archived object.
    package init(_ data: Data) throws(ColumnArchiveError) {
        guard let root = try KeyedArchive(data, allowance: Self.allowance).root else { throw .notAnArchive }
        text = PredicateText.text(ofExpression: root, TextBudget(Self.allowance))
    }

    /// Enough for some thousand parts; no real expression has so many.
    private static let allowance = 1 << 16
}
