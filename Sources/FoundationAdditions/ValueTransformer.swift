import Foundation

#if !canImport(Darwin)

/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}

/// Converts values of one type to another, and optionally back. Replaces Foundation's class on platforms without it.
///
/// A subclass overrides `transformedValue(_:)` and, if it is used for a stored attribute,
/// `reverseTransformedValue(_:)`. As with Foundation's class, all threads share a registered transformer, so it must
/// not have mutable state without a lock.
nonisolated open class ValueTransformer: NSObject {
    public required override init() {
        super.init()
    }

    /// The class of the values that `transformedValue(_:)` returns.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    open class func allowsReverseTransformation() -> Bool { true }

    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Reverses `transformedValue(_:)`. The default implementation calls `transformedValue(_:)` itself.
    open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }
}

/// Adds an initializer to `ValueTransformer` that returns the registered instance instead of a new one. Only a
/// protocol's initializer can do so.
public protocol RegisteredTransformer {}

extension RegisteredTransformer {
    /// Returns the transformer registered under a name; `nil` if there is none.
    public init?(forName name: NSValueTransformerName) {
        guard let found = TransformerRegistry.shared.transformer(for: name.rawValue) as? Self else { return nil }
        self = found
    }
}

extension ValueTransformer: RegisteredTransformer {
    /// Registers a transformer under a name; `nil` removes the registration.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        TransformerRegistry.shared.set(transformer, for: name.rawValue)
    }

    /// Returns the names of all registered transformers, in alphabetical order.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
        TransformerRegistry.shared.names.map(NSValueTransformerName.init(rawValue:))
    }
}

/// Unarchives data into objects of the allowed classes, and archives them again.
///
/// Its direction is opposite to that of other transformers: it transforms data into objects, so a stored attribute uses
/// its reverse transformation.
nonisolated open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that an archive may contain. A subclass overrides this property to allow others.
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
            NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    /// - Returns: The archived object; `nil` if the value is no data or no archive, or contains another class.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: Self.allowedTopLevelClasses, from: data)
    }

    /// - Returns: An archive; `nil` if the value, or an object in it, cannot be archived.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value, let object = Archivable.object(for: value) else { return nil }
        return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }
}

/// The registered transformers of the process, by name.
private final class TransformerRegistry: Sendable {
    static let shared = TransformerRegistry()

    /// `@unchecked Sendable`: the registry only passes the reference on. `ValueTransformer` documents that a registered
    /// transformer may be used by several threads at once.
    private struct Entry: @unchecked Sendable {
        let transformer: ValueTransformer
    }

    private let lock = NSLock()
    /// Protected by the lock.
    private nonisolated(unsafe) var entries: [String: Entry]

    private init() {
        entries = [
            NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue:
                Entry(transformer: NSSecureUnarchiveFromDataTransformer()),
            NSValueTransformerName.negateBooleanTransformerName.rawValue:
                Entry(transformer: ClosureTransformer { ($0 as? Bool).map { !$0 } }),
            NSValueTransformerName.isNilTransformerName.rawValue:
                Entry(transformer: ClosureTransformer(reversible: false) { $0 == nil }),
            NSValueTransformerName.isNotNilTransformerName.rawValue:
                Entry(transformer: ClosureTransformer(reversible: false) { $0 != nil }),
        ]
    }

    /// Registers a transformer of the class with the name, as Foundation does, if there is none yet.
    func transformer(for name: String) -> ValueTransformer? {
        if let known = lock.withLock({ entries[name] }) { return known.transformer }
        guard let type = Self.type(named: name) else { return nil }
        let made = Entry(transformer: type.init())
        return lock.withLock {
            let entry = entries[name] ?? made
            entries[name] = entry
            return entry
        }.transformer
    }

    private static func type(named name: String) -> ValueTransformer.Type? {
        if name == "\(NSSecureUnarchiveFromDataTransformer.self)" { return NSSecureUnarchiveFromDataTransformer.self }
        // Names of classes in Swift begin with their module.
        return name.contains(".") ? NSClassFromString(name) as? ValueTransformer.Type : nil
    }

    func set(_ transformer: ValueTransformer?, for name: String) {
        let entry = transformer.map(Entry.init)
        lock.withLock { entries[name] = entry }
    }

    var names: [String] {
        lock.withLock { entries.keys.sorted() }
    }
}

/// The predefined transformers.
private final class ClosureTransformer: ValueTransformer {
    private let transform: @Sendable (Any?) -> Any?
    private let isReversible: Bool

    init(reversible: Bool = true, _ transform: @escaping @Sendable (Any?) -> Any?) {
        self.transform = transform
        isReversible = reversible
        super.init()
    }

    required init() {
        transform = { $0 }
        isReversible = true
        super.init()
    }

    override func transformedValue(_ value: Any?) -> Any? { transform(value) }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        isReversible ? transform(value) : nil
    }
}
#endif

extension ValueTransformer {
    /// Returns the value that a store keeps for an attribute's value.
    package func storedForm(of value: Any?) -> Any? {
        self is NSSecureUnarchiveFromDataTransformer ? reverseTransformedValue(value) : transformedValue(value)
    }

    /// Returns the attribute's value for a stored value.
    package func value(fromStored stored: Any?) -> Any? {
        self is NSSecureUnarchiveFromDataTransformer ? transformedValue(stored) : reverseTransformedValue(stored)
    }
}
