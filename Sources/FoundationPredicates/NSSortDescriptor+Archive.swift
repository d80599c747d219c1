import Foundation

/// A sort descriptor can be archived, unless it sorts by code.
extension Foundation.NSSortDescriptor: @retroactive NSCoding, @retroactive NSSecureCoding {}

// As no extension of a class may have a `required` initializer, the protocol's has them.
extension NSSecureCoding where Self: Foundation.NSSortDescriptor {
    public static var supportsSecureCoding: Bool { true }

    /// Reads key, direction and selector.
    /// - Returns: `nil` for the archive of a program's own class.
    public init?(coder: NSCoder) {
        guard let made = KeyedSortDescriptor(coder: coder) as? Self else { return nil }
        self.init(replacedBy: made)
    }

    /// Writes key, direction and selector. With a closure in it, archiving throws.
    public func encode(with coder: NSCoder) {
        guard let keyed = self as? KeyedSortDescriptor else {
            return FormatArchive.fail(coder, "A sort descriptor of a class of its own is not archived.")
        }
        keyed.encode(with: coder)
    }
}
