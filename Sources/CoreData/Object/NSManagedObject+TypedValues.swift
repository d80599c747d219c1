import Foundation

/// Properties of managed objects in Swift's types, like those of `@NSManaged` with Objective-C. Generated classes and
/// `@Managed` call these methods.
extension NSManagedObject {
    /// Returns the value of a property; `nil` if it has no value, or one of another type.
    /// - Parameter key: the name of the property.
    // Inlinable, so that the cast is specialized for the type; a general cast would dominate the cost.
    @inlinable
    public final func managedValue<Value>(forKey key: String) -> Value? {
        if let object = destination(forKey: key) { return object as? Value }
        return otherValue(forKey: key)
    }

    /// The destination of a to-one relationship; `nil` for any other property.
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

    /// Returns the value of a property, or a substitute if it has no value.
    /// - Parameters:
    ///   - key: the name of the property.
    ///   - missing: the substitute.
    public final func managedValue<Value>(forKey key: String, missing: @autoclosure () -> Value) -> Value {
        managedValue(forKey: key) ?? missing()
    }

    /// Returns the value of a property, or the type's `missingManagedValue` if it has no value.
    /// - Parameter key: the name of the property.
    public final func managedValue<Value: ManagedScalar>(forKey key: String) -> Value {
        otherValue(forKey: key) ?? Value.missingManagedValue
    }

    /// Returns the destination of a to-one relationship.
    ///
    /// Without a destination, it returns an empty object that is in no context, and logs an error: declare a relationship
    /// optional if it may be empty.
    /// - Parameter key: the name of the relationship.
    public final func managedValue<Object: NSManagedObject>(forKey key: String) -> Object {
        if let object: Object = managedValue(forKey: key) { return object }
        CoreDataLog.logger.error(
            "'\(entity.name ?? "").\(key)' has no destination, and its property is not optional; an empty object is given."
        )
        return emptyObject(at: key)
    }

    /// Returns the case of an enum by its raw value.
    ///
    /// Without a value, or for an unknown one, it returns the case for zero or for an empty text, else the first case. The
    /// process ends if there is no such case, as for an enum of texts that has no empty one and is not `CaseIterable`.
    /// - Parameter key: the name of the attribute.
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

    /// Returns the case of an enum by its raw value; `nil` if there is no such case.
    /// - Parameter key: the name of the attribute.
    public final func managedValue<Kind: RawRepresentable>(forKey key: String) -> Kind?
    where Kind.RawValue: ManagedScalar {
        if let recorder = table.recorder { return recorder.value(of: key, in: self) }
        let raw: Kind.RawValue? = otherValue(forKey: key)
        return raw.flatMap(Kind.init(rawValue:))
    }

    /// Returns the object of a transformable attribute.
    ///
    /// The process ends if the attribute has no value, because there is no substitute: declare the property optional unless its
    /// attribute always has a value.
    /// - Parameter key: the name of the attribute.
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
    /// Not available: a property of this type must be optional, or its type must conform to ``ManagedScalar``.
    public final func managedValue<Value>(forKey key: String) -> Value {
        Misuse.stop("A managed property of type \(Value.self) must be optional.")
    }

    /// Sets the value of a property. Sets of Swift become sets of a relationship, and arrays become ordered sets.
    /// - Parameters:
    ///   - value: the value.
    ///   - key: the name of the property.
    public final func setManagedValue(_ value: Any?, forKey key: String) {
        setValue(value.map { ($0 as? any ManagedCollection)?.managedObject ?? $0 }, forKey: key)
    }

    /// Sets an attribute to the raw value of an enum's case.
    /// - Parameters:
    ///   - value: the case.
    ///   - key: the name of the attribute.
    public final func setManagedValue<Kind: RawRepresentable>(_ value: Kind?, forKey key: String)
    where Kind.RawValue: ManagedScalar {
        setManagedValue(value?.rawValue as Any?, forKey: key)
    }
}

extension NSManagedObject {
    /// An empty object of the class, for a relationship without a destination.
    private final func emptyObject<Object: NSManagedObject>(at key: String) -> Object {
        let description =
            table.description.relationshipsByName[key]?.destinationEntity ?? OpenModels.entity(for: Object.self)
        guard let description else { return Object(entity: PlainEntity.description, insertInto: nil) }
        return Object(entity: description, insertInto: nil)
    }
}

/// A type that a managed property can have without being optional.
public protocol ManagedScalar {
    /// The value that a property has if its object has no value for it.
    static var missingManagedValue: Self { get }
}

extension Bool: ManagedScalar {
    /// The value of a property without a value: `false`.
    public static var missingManagedValue: Bool { false }
}

extension Int: ManagedScalar {
    /// The value of a property without a value: zero.
    public static var missingManagedValue: Int { 0 }
}

extension Int16: ManagedScalar {
    /// The value of a property without a value: zero.
    public static var missingManagedValue: Int16 { 0 }
}

extension Int32: ManagedScalar {
    /// The value of a property without a value: zero.
    public static var missingManagedValue: Int32 { 0 }
}

extension Int64: ManagedScalar {
    /// The value of a property without a value: zero.
    public static var missingManagedValue: Int64 { 0 }
}

extension Double: ManagedScalar {
    /// The value of a property without a value: zero.
    public static var missingManagedValue: Double { 0 }
}

extension Float: ManagedScalar {
    /// The value of a property without a value: zero.
    public static var missingManagedValue: Float { 0 }
}

extension Decimal: ManagedScalar {
    /// The value of a property without a value: zero.
    public static var missingManagedValue: Decimal { 0 }
}

extension String: ManagedScalar {
    /// The value of a property without a value: an empty text.
    public static var missingManagedValue: String { "" }
}

extension Data: ManagedScalar {
    /// The value of a property without a value: empty data.
    public static var missingManagedValue: Data { Data() }
}

extension Date: ManagedScalar {
    /// The value of a property without a value: the reference date, 2001-01-01 UTC.
    public static var missingManagedValue: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension UUID: ManagedScalar {
    /// The value of a property without a value: the UUID of zeros.
    public static var missingManagedValue: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension URL: ManagedScalar {
    /// The value of a property without a value: the root of the file system.
    public static var missingManagedValue: URL { URL(fileURLWithPath: "/") }
}

extension Set: ManagedScalar {
    /// The value of a property without a value: an empty set.
    public static var missingManagedValue: Set { [] }
}

extension Array: ManagedScalar {
    /// The value of a property without a value: an empty array.
    public static var missingManagedValue: [Element] { [] }
}

extension Dictionary: ManagedScalar {
    /// The value of a property without a value: an empty dictionary.
    public static var missingManagedValue: [Key: Value] { [:] }
}
