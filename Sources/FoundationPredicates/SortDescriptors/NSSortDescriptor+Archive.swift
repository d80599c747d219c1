import Foundation

/// Makes sort descriptors archivable, unless they sort with a closure.
extension Foundation.NSSortDescriptor: @retroactive NSCoding, @retroactive NSSecureCoding {}

// // An extension of a class cannot declare a `required` initializer, so an extension of the protocol does.
extension NSSecureCoding where Self: Foundation.NSSortDescriptor {
    public static var supportsSecureCoding: Bool { true }

    /// Creates a sort descriptor from archived key, direction and selector.
    /// - Returns: `nil` for the archive of a subclass that a program declares.
    public init?(coder: NSCoder) {
        guard let made = KeyedSortDescriptor(coder: coder) as? Self else { return nil }
        self.init(replacedBy: made)
    }

    /// Archives key, direction and selector. Throws if the sort descriptor has a comparator.
    public func encode(with coder: NSCoder) {
        guard let keyed = self as? KeyedSortDescriptor else {
            return FormatArchive.fail(coder, "A sort descriptor of a class of its own is not archived.")
        }
        keyed.encode(with: coder)
    }
}
