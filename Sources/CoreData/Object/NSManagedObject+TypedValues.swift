import Foundation

/// Properties of managed objects in Swift's types: what `@NSManaged` makes where there is Objective-C. Generated classes
/// and `@Managed` are written in terms of these.
extension NSManagedObject {
    /// The value, or `nil` where there is none or it is not of the type.
    // Compiled for the type where it is used: a cast of an object to any type takes longer than all the rest.
    @inlinable
    public final func managedValue<Value>(forKey key: String) -> Value? {
        if let object = destination(forKey: key) { return object as? Value }
        return otherValue(forKey: key)
    }

    /// The object that a to-one relationship leads to; `nil` for any other property.
    @usableFromInline
    final func destination(forKey key: String) -> NSManagedObject? {
        guard let property = table[key], case .toOne(let relationship) = property else { return nil }
        willRead(property)
        return destination(relationship)
    }

    @usableFromInline
    final func otherValue<Value>(forKey key: String) -> Value? { ManagedCast.value(value(forKey: key)) }

    /// The value, or what stands for it where there is none.
    public final func managedValue<Value>(forKey key: String, missing: @autoclosure () -> Value) -> Value {
        managedValue(forKey: key) ?? missing()
    }

    /// The value, or zero, an empty text and the like where there is none.
    public final func managedValue<Value: ManagedScalar>(forKey key: String) -> Value {
        ManagedCast.value(value(forKey: key)) ?? Value.missingManagedValue
    }

    /// Sets are taken as sets, arrays as ordered ones.
    public final func setManagedValue(_ value: Any?, forKey key: String) {
        setValue(value.map { ($0 as? any ManagedCollection)?.managedObject ?? $0 }, forKey: key)
    }
}

/// A type that a managed property can have without being optional.
public protocol ManagedScalar {
    /// What stands for a value that is not there.
    static var missingManagedValue: Self { get }
}

extension Bool: ManagedScalar {
    public static var missingManagedValue: Bool { false }
}

extension Int: ManagedScalar {
    public static var missingManagedValue: Int { 0 }
}

extension Int16: ManagedScalar {
    public static var missingManagedValue: Int16 { 0 }
}

extension Int32: ManagedScalar {
    public static var missingManagedValue: Int32 { 0 }
}

extension Int64: ManagedScalar {
    public static var missingManagedValue: Int64 { 0 }
}

extension Double: ManagedScalar {
    public static var missingManagedValue: Double { 0 }
}

extension Float: ManagedScalar {
    public static var missingManagedValue: Float { 0 }
}

extension Decimal: ManagedScalar {
    public static var missingManagedValue: Decimal { 0 }
}

extension String: ManagedScalar {
    public static var missingManagedValue: String { "" }
}

extension Data: ManagedScalar {
    public static var missingManagedValue: Data { Data() }
}

/// The reference date, 2001-01-01 UTC.
extension Date: ManagedScalar {
    public static var missingManagedValue: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

/// The one of zeros.
extension UUID: ManagedScalar {
    public static var missingManagedValue: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension Set: ManagedScalar {
    public static var missingManagedValue: Set { [] }
}

extension Array: ManagedScalar {
    public static var missingManagedValue: [Element] { [] }
}

extension Dictionary: ManagedScalar {
    public static var missingManagedValue: [Key: Value] { [:] }
}
