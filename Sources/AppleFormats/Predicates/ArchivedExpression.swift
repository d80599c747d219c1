import Foundation

/// An expression that is archived by itself, as files of mapping models hold them.
package struct ArchivedExpression: Hashable, Sendable {
    /// As the predicate format spells it. What is not known there comes out as its class name in angle brackets, which no
    /// parser takes.
    package let text: String

    /// - Throws: `ColumnArchiveError` for bytes that archive no object.
    package init(_ data: Data) throws(ColumnArchiveError) {
        let propertyList: PropertyList
        do throws(PropertyListError) {
            propertyList = try PropertyList(binary: data, allowance: Self.allowance)
        } catch {
            throw .unreadable(error)
        }
        guard let archive = KeyedArchive(propertyList), let root = archive.root else { throw .notAnArchive }
        text = PredicateText.text(ofExpression: root, TextBudget(Self.allowance))
    }

    /// Some thousand parts: no real expression has so many.
    private static let allowance = 1 << 16
}
