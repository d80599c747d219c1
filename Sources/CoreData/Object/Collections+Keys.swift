import Foundation

#if !canImport(Darwin)

// Values by name of collections: those of all members, or what an operator makes of them.

extension NSArray {
    /// The member's values in their order, `NSNull` where one has none; with an operator (`@count`), what it gives.
    public func value(forKey key: String) -> Any? {
        if key.hasPrefix("@") { return value(forKeyPath: key) }
        return NSArray(array: map { KeyPathReading.value(of: $0, key) ?? NSNull() })
    }

    /// A key path, which an operator may be in (`@sum.price`, `lines.@count`).
    public func value(forKeyPath keyPath: String) -> Any? { KeyPathReading.value(of: self, keyPath) }
}

extension NSSet {
    /// The members' values; with an operator (`@count`), what it gives.
    public func value(forKey key: String) -> Any? { KeyPathReading.value(of: self, key) }

    /// A key path, which an operator may be in (`@sum.price`, `lines.@count`).
    public func value(forKeyPath keyPath: String) -> Any? { KeyPathReading.value(of: self, keyPath) }
}

extension NSOrderedSet {
    /// The members' values; with an operator (`@count`), what it gives.
    public func value(forKey key: String) -> Any? { KeyPathReading.value(of: self, key) }

    /// A key path, which an operator may be in (`@sum.price`, `lines.@count`).
    public func value(forKeyPath keyPath: String) -> Any? { KeyPathReading.value(of: self, keyPath) }
}

#endif
