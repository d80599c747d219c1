import Foundation
import ObjectGraph

/// Every predicate can be archived, also what a program puts together of Foundation's own classes, which cannot by
/// themselves. A predicate with a closure in it makes archiving throw.
///
/// As no extension of a class may have a `required` initializer, the protocol's has them.
extension Foundation.NSPredicate: @retroactive NSCoding, @retroactive NSSecureCoding {}

extension NSSecureCoding where Self: Foundation.NSPredicate {
    public static var supportsSecureCoding: Bool { true }

    /// Reads the predicate's format.
    /// - Returns: `nil` for the archive of a predicate of another class.
    public init?(coder: NSCoder) {
        guard let made = Self.read(from: coder) as? Self else { return nil }
        self.init(replacedBy: made)
    }

    /// A program's own class below ours reads what it wrote.
    private static func read(from coder: NSCoder) -> Foundation.NSPredicate? {
        if let type = Self.self as? NSComparisonPredicate.Type { return type.init(coder: coder) }
        guard let made = FormatArchive.predicate(from: coder).map(Foundation.NSPredicate.predicate) else { return nil }
        // A compound of one part, or of none, has the text of what it comes to.
        guard Self.self is NSCompoundPredicate.Type, !(made is NSCompoundPredicate) else { return made }
        return ReadCompoundPredicate(type: .and, subpredicates: [made])
    }

    /// Writes the predicate's format.
    public func encode(with coder: NSCoder) {
        if let comparison = self as? NSComparisonPredicate { return comparison.encode(with: coder) }
        FormatArchive.encode(tree, to: coder)
    }
}
