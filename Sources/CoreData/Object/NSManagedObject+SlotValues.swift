import Foundation

// Accessors for each type that attributes keep unconverted, so that properties of these types use specialized code. Other types use
// the general accessors.

extension NSManagedObject {
    /// Returns the Boolean value of a property, or `false` if it has no value.
    public final func managedValue(forKey key: String) -> Bool { slotValue(key) ?? Bool.missingManagedValue }
    /// Returns the Boolean value of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> Bool? { slotValue(key) }
    /// Sets a property to a Boolean value.
    public final func setManagedValue(_ value: Bool, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to a Boolean value, or to nil.
    public final func setManagedValue(_ value: Bool?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the integer of a property, or zero if it has no value.
    public final func managedValue(forKey key: String) -> Int { slotValue(key) ?? Int.missingManagedValue }
    /// Returns the integer of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> Int? { slotValue(key) }
    /// Sets a property to an integer.
    public final func setManagedValue(_ value: Int, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to an integer, or to nil.
    public final func setManagedValue(_ value: Int?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the integer of 16 bits of a property, or zero if it has no value.
    public final func managedValue(forKey key: String) -> Int16 { slotValue(key) ?? Int16.missingManagedValue }
    /// Returns the integer of 16 bits of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> Int16? { slotValue(key) }
    /// Sets a property to an integer of 16 bits.
    public final func setManagedValue(_ value: Int16, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to an integer of 16 bits, or to nil.
    public final func setManagedValue(_ value: Int16?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the integer of 32 bits of a property, or zero if it has no value.
    public final func managedValue(forKey key: String) -> Int32 { slotValue(key) ?? Int32.missingManagedValue }
    /// Returns the integer of 32 bits of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> Int32? { slotValue(key) }
    /// Sets a property to an integer of 32 bits.
    public final func setManagedValue(_ value: Int32, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to an integer of 32 bits, or to nil.
    public final func setManagedValue(_ value: Int32?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the integer of 64 bits of a property, or zero if it has no value.
    public final func managedValue(forKey key: String) -> Int64 { slotValue(key) ?? Int64.missingManagedValue }
    /// Returns the integer of 64 bits of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> Int64? { slotValue(key) }
    /// Sets a property to an integer of 64 bits.
    public final func setManagedValue(_ value: Int64, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to an integer of 64 bits, or to nil.
    public final func setManagedValue(_ value: Int64?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the double of a property, or zero if it has no value.
    public final func managedValue(forKey key: String) -> Double { slotValue(key) ?? Double.missingManagedValue }
    /// Returns the double of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> Double? { slotValue(key) }
    /// Sets a property to a double.
    public final func setManagedValue(_ value: Double, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to a double, or to nil.
    public final func setManagedValue(_ value: Double?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the float of a property, or zero if it has no value.
    public final func managedValue(forKey key: String) -> Float { slotValue(key) ?? Float.missingManagedValue }
    /// Returns the float of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> Float? { slotValue(key) }
    /// Sets a property to a float.
    public final func setManagedValue(_ value: Float, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to a float, or to nil.
    public final func setManagedValue(_ value: Float?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the text of a property, or an empty text if it has no value.
    public final func managedValue(forKey key: String) -> String { slotValue(key) ?? String.missingManagedValue }
    /// Returns the text of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> String? { slotValue(key) }
    /// Sets a property to a text.
    public final func setManagedValue(_ value: String, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to a text, or to nil.
    public final func setManagedValue(_ value: String?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the date of a property, or the reference date if it has no value.
    public final func managedValue(forKey key: String) -> Date { slotValue(key) ?? Date.missingManagedValue }
    /// Returns the date of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> Date? { slotValue(key) }
    /// Sets a property to a date.
    public final func setManagedValue(_ value: Date, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to a date, or to nil.
    public final func setManagedValue(_ value: Date?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the UUID of a property, or the UUID of zeros if it has no value.
    public final func managedValue(forKey key: String) -> UUID { slotValue(key) ?? UUID.missingManagedValue }
    /// Returns the UUID of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> UUID? { slotValue(key) }
    /// Sets a property to a UUID.
    public final func setManagedValue(_ value: UUID, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to a UUID, or to nil.
    public final func setManagedValue(_ value: UUID?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    /// Returns the data of a property, or empty data if it has no value.
    public final func managedValue(forKey key: String) -> Data { slotValue(key) ?? Data.missingManagedValue }
    /// Returns the data of a property; `nil` if it has no value.
    public final func managedValue(forKey key: String) -> Data? { slotValue(key) }
    /// Sets a property to data.
    public final func setManagedValue(_ value: Data, forKey key: String) { setSlotValue(value, key) }
    /// Sets a property to data, or to nil.
    public final func setManagedValue(_ value: Data?, forKey key: String) { setSlotValue(value, key) }
}

// Foundation's objects with which attributes and relationships are declared as not optional.

extension NSManagedObject {
    /// Returns the set of a property, or an empty set if it has no value.
    public final func managedValue(forKey key: String) -> NSSet { otherValue(forKey: key) ?? NSSet() }
    /// Returns the ordered set of a property, or an empty set if it has no value.
    public final func managedValue(forKey key: String) -> NSOrderedSet { otherValue(forKey: key) ?? NSOrderedSet() }
    /// Returns the array of a property, or an empty array if it has no value.
    public final func managedValue(forKey key: String) -> NSArray { otherValue(forKey: key) ?? NSArray() }
    /// Returns the dictionary of a property, or an empty dictionary if it has no value.
    public final func managedValue(forKey key: String) -> NSDictionary { otherValue(forKey: key) ?? NSDictionary() }
    /// Returns the text object of a property, or an empty text if it has no value.
    public final func managedValue(forKey key: String) -> NSString { otherValue(forKey: key) ?? NSString() }
    /// Returns the data object of a property, or empty data if it has no value.
    public final func managedValue(forKey key: String) -> NSData { otherValue(forKey: key) ?? NSData() }
    /// Returns the number object of a property, or zero if it has no value.
    public final func managedValue(forKey key: String) -> NSNumber { otherValue(forKey: key) ?? NSNumber(value: 0) }
    /// Returns the decimal number of a property, or zero if it has no value. Less preferred than the overload for `NSNumber`,
    /// because the value could be used for a property of that superclass, too.
    @_disfavoredOverload
    public final func managedValue(forKey key: String) -> NSDecimalNumber { otherValue(forKey: key) ?? .zero }
}
