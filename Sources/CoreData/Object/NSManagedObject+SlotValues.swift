import Foundation

// One set of accessors for each type that attributes keep as it is, so that a property of that type is read and written by
// code made for it. Other types go by the general accessors.

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> Bool { slotValue(key) ?? Bool.missingManagedValue }
    public final func managedValue(forKey key: String) -> Bool? { slotValue(key) }
    public final func setManagedValue(_ value: Bool, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: Bool?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> Int { slotValue(key) ?? Int.missingManagedValue }
    public final func managedValue(forKey key: String) -> Int? { slotValue(key) }
    public final func setManagedValue(_ value: Int, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: Int?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> Int16 { slotValue(key) ?? Int16.missingManagedValue }
    public final func managedValue(forKey key: String) -> Int16? { slotValue(key) }
    public final func setManagedValue(_ value: Int16, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: Int16?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> Int32 { slotValue(key) ?? Int32.missingManagedValue }
    public final func managedValue(forKey key: String) -> Int32? { slotValue(key) }
    public final func setManagedValue(_ value: Int32, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: Int32?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> Int64 { slotValue(key) ?? Int64.missingManagedValue }
    public final func managedValue(forKey key: String) -> Int64? { slotValue(key) }
    public final func setManagedValue(_ value: Int64, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: Int64?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> Double { slotValue(key) ?? Double.missingManagedValue }
    public final func managedValue(forKey key: String) -> Double? { slotValue(key) }
    public final func setManagedValue(_ value: Double, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: Double?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> Float { slotValue(key) ?? Float.missingManagedValue }
    public final func managedValue(forKey key: String) -> Float? { slotValue(key) }
    public final func setManagedValue(_ value: Float, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: Float?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> String { slotValue(key) ?? String.missingManagedValue }
    public final func managedValue(forKey key: String) -> String? { slotValue(key) }
    public final func setManagedValue(_ value: String, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: String?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> Date { slotValue(key) ?? Date.missingManagedValue }
    public final func managedValue(forKey key: String) -> Date? { slotValue(key) }
    public final func setManagedValue(_ value: Date, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: Date?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> UUID { slotValue(key) ?? UUID.missingManagedValue }
    public final func managedValue(forKey key: String) -> UUID? { slotValue(key) }
    public final func setManagedValue(_ value: UUID, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: UUID?, forKey key: String) { setSlotValue(value, key) }
}

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> Data { slotValue(key) ?? Data.missingManagedValue }
    public final func managedValue(forKey key: String) -> Data? { slotValue(key) }
    public final func setManagedValue(_ value: Data, forKey key: String) { setSlotValue(value, key) }
    public final func setManagedValue(_ value: Data?, forKey key: String) { setSlotValue(value, key) }
}

// Objects of Foundation that attributes and relationships are declared with, which are never nil.

extension NSManagedObject {
    public final func managedValue(forKey key: String) -> NSSet { otherValue(forKey: key) ?? NSSet() }
    public final func managedValue(forKey key: String) -> NSOrderedSet { otherValue(forKey: key) ?? NSOrderedSet() }
    public final func managedValue(forKey key: String) -> NSArray { otherValue(forKey: key) ?? NSArray() }
    public final func managedValue(forKey key: String) -> NSDictionary { otherValue(forKey: key) ?? NSDictionary() }
    public final func managedValue(forKey key: String) -> NSString { otherValue(forKey: key) ?? NSString() }
    public final func managedValue(forKey key: String) -> NSData { otherValue(forKey: key) ?? NSData() }
    public final func managedValue(forKey key: String) -> NSNumber { otherValue(forKey: key) ?? NSNumber(value: 0) }
    /// Less preferred, as it could be taken for a property of its superclass, too.
    @_disfavoredOverload
    public final func managedValue(forKey key: String) -> NSDecimalNumber { otherValue(forKey: key) ?? .zero }
}
