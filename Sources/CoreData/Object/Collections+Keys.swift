import Foundation

#if !canImport(Darwin)

// Values of collections by key: those of all members, or the result of an operator.

extension NSArray {
    /// Returns the members' values for a key, in order, with `NSNull` for a missing one; or the result of an operator (`@count`).
    public func value(forKey key: String) -> Any? {
        if key.hasPrefix("@") { return value(forKeyPath: key) }
        return NSArray(array: map { KeyPathReading.value(of: $0, key) ?? NSNull() })
    }

    /// Returns the value for a key path, which may contain an operator (`@sum.price`, `lines.@count`).
    public func value(forKeyPath keyPath: String) -> Any? { KeyPathReading.value(of: self, keyPath) }
}

extension NSSet {
    /// Returns the members' values for a key, or the result of an operator (`@count`).
    public func value(forKey key: String) -> Any? { KeyPathReading.value(of: self, key) }

    /// Returns the value for a key path, which may contain an operator (`@sum.price`, `lines.@count`).
    public func value(forKeyPath keyPath: String) -> Any? { KeyPathReading.value(of: self, keyPath) }
}

extension NSOrderedSet {
    /// Returns the members' values for a key, or the result of an operator (`@count`).
    public func value(forKey key: String) -> Any? { KeyPathReading.value(of: self, key) }

    /// Returns the value for a key path, which may contain an operator (`@sum.price`, `lines.@count`).
    public func value(forKeyPath keyPath: String) -> Any? { KeyPathReading.value(of: self, keyPath) }
}

#endif
