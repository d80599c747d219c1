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
    final func otherValue<Value>(forKey key: String) -> Value? {
        if let recorder = table.recorder { return recorder.value(of: key, in: self) }
        return ManagedCast.value(value(forKey: key))
    }

    /// The value, or what stands for it where there is none.
    public final func managedValue<Value>(forKey key: String, missing: @autoclosure () -> Value) -> Value {
        managedValue(forKey: key) ?? missing()
    }

    /// The value, or zero, an empty text and the like where there is none.
    public final func managedValue<Value: ManagedScalar>(forKey key: String) -> Value {
        otherValue(forKey: key) ?? Value.missingManagedValue
    }

    /// The object that a to-one relationship leads to. Where there is none, an object in no context and without values takes
    /// its place, and the log says so: declare a relationship optional that may be empty.
    public final func managedValue<Object: NSManagedObject>(forKey key: String) -> Object {
        if let object: Object = managedValue(forKey: key) { return object }
        CoreDataLog.logger.error(
            "'\(entity.name ?? "").\(key)' leads to no object, and its property is not optional; an empty object is given."
        )
        return emptyObject(at: key)
    }

    /// The case of an enum with this raw value. Where there is none, the case for zero or for an empty text, else the first
    /// one.
    public final func managedValue<Kind: RawRepresentable>(forKey key: String) -> Kind
    where Kind.RawValue: ManagedScalar {
        if let recorder = table.recorder, let kind = recorder.value(of: key, in: self) ?? RawCases.missing(Kind.self) {
            return kind
        }
        let raw: Kind.RawValue? = otherValue(forKey: key)
        if let kind = raw.flatMap(Kind.init(rawValue:)) ?? RawCases.missing(Kind.self) { return kind }
        Misuse.missingValue(
            key, of: self, "raw value of a case of \(Kind.self)", "Declare it optional, or the enum CaseIterable.")
    }

    /// The case of an enum with this raw value; `nil` where there is none.
    public final func managedValue<Kind: RawRepresentable>(forKey key: String) -> Kind?
    where Kind.RawValue: ManagedScalar {
        if let recorder = table.recorder { return recorder.value(of: key, in: self) }
        let raw: Kind.RawValue? = otherValue(forKey: key)
        return raw.flatMap(Kind.init(rawValue:))
    }

    /// An object of a transformable attribute. Reading one that is not there ends the process, as there is nothing that can
    /// be given for it: declare the property optional unless its attribute always has a value.
    @_disfavoredOverload
    public final func managedValue<Object: NSObject>(forKey key: String) -> Object {
        if let object: Object = managedValue(forKey: key) { return object }
        Misuse.missingValue(key, of: self, "value of class \(Object.self)", "Declare it optional.")
    }

    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "a managed property of this type must be optional; or let the type conform to ManagedScalar"
    )
    public final func managedValue<Value>(forKey key: String) -> Value {
        Misuse.stop("A managed property of type \(Value.self) must be optional.")
    }

    /// Sets are taken as sets, arrays as ordered ones.
    public final func setManagedValue(_ value: Any?, forKey key: String) {
        setValue(value.map { ($0 as? any ManagedCollection)?.managedObject ?? $0 }, forKey: key)
    }

    /// Sets the raw value.
    public final func setManagedValue<Kind: RawRepresentable>(_ value: Kind?, forKey key: String)
    where Kind.RawValue: ManagedScalar {
        setManagedValue(value?.rawValue as Any?, forKey: key)
    }
}

extension NSManagedObject {
    /// Of the class, for a relationship that leads nowhere.
    private final func emptyObject<Object: NSManagedObject>(at key: String) -> Object {
        let description =
            table.description.relationshipsByName[key]?.destinationEntity ?? OpenModels.entity(for: Object.self)
        guard let description else { return Object(entity: PlainEntity.description, insertInto: nil) }
        return Object(entity: description, insertInto: nil)
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

/// The root of the file system.
extension URL: ManagedScalar {
    public static var missingManagedValue: URL { URL(fileURLWithPath: "/") }
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
