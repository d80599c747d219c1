import Foundation
import ObjectGraph

/// Makes all predicates archivable, including those that programs build from Foundation's classes, which do not support
/// it here. Archiving a predicate that contains a closure throws.
///
/// An extension of a class cannot declare a `required` initializer, so an extension of the protocol does.
extension Foundation.NSPredicate: @retroactive NSCoding, @retroactive NSSecureCoding {}

extension NSSecureCoding where Self: Foundation.NSPredicate {
    public static var supportsSecureCoding: Bool { true }

    /// Creates a predicate from its archived format.
    /// - Returns: `nil` for the archive of a predicate of another class.
    public init?(coder: NSCoder) {
        guard let made = Self.read(from: coder) as? Self else { return nil }
        self.init(replacedBy: made)
    }

    /// Reads an archive also for subclasses that a program declares.
    private static func read(from coder: NSCoder) -> Foundation.NSPredicate? {
        if let type = Self.self as? NSComparisonPredicate.Type { return type.init(coder: coder) }
        guard let made = FormatArchive.predicate(from: coder).map(Foundation.NSPredicate.predicate) else { return nil }
        // The archive of a compound with at most one part contains the simplified predicate.
        guard Self.self is NSCompoundPredicate.Type, !(made is NSCompoundPredicate) else { return made }
        return ReadCompoundPredicate(type: .and, subpredicates: [made])
    }

    /// Archives the predicate's format.
    public func encode(with coder: NSCoder) {
        if let comparison = self as? NSComparisonPredicate { return comparison.encode(with: coder) }
        FormatArchive.encode(tree, to: coder)
    }
}
