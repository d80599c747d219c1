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

/// Makes one value of another, and back if it can. Stands in for Foundation's class where Foundation lacks it.
///
/// A subclass overrides `transformedValue(_:)` and, to be used for a stored attribute, `reverseTransformedValue(_:)`.
/// As with Foundation's class, a registered transformer is shared by all threads and must not keep mutable state
/// without a lock.
nonisolated open class ValueTransformer: NSObject {
    public required override init() {
        super.init()
    }

    /// The class of what `transformedValue(_:)` makes.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    open class func allowsReverseTransformation() -> Bool { true }

    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Undoes `transformedValue(_:)`; unless overridden, it is `transformedValue(_:)` itself.
    open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }
}

/// Gives `ValueTransformer` an initializer that finds the registered instance instead of making one, which only a
/// protocol's initializer can.
public protocol RegisteredTransformer {}

extension RegisteredTransformer {
    /// The transformer registered under a name; `nil` when there is none.
    public init?(forName name: NSValueTransformerName) {
        guard let found = TransformerRegistry.shared.transformer(for: name.rawValue) as? Self else { return nil }
        self = found
    }
}

extension ValueTransformer: RegisteredTransformer {
    /// Registers a transformer; `nil` takes the name's registration away.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        TransformerRegistry.shared.set(transformer, for: name.rawValue)
    }

    /// Names of all registered transformers, in alphabetical order.
    public class func valueTransformerNames() -> [NSValueTransformerName] {
        TransformerRegistry.shared.names.map(NSValueTransformerName.init(rawValue:))
    }
}

/// Unarchives data into objects of the allowed classes, and archives them back.
///
/// Its direction is opposite to other transformers': data is what it takes, so a stored attribute uses it in reverse.
nonisolated open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that may be in an archive; a subclass overrides this to allow others.
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
            NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    /// - Returns: What is in the archive; `nil` when the value is no data, no archive, or holds another class.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: Self.allowedTopLevelClasses, from: data)
    }

    /// - Returns: An archive; `nil` when the value or something in it cannot be archived.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value, let object = Archivable.object(for: value) else { return nil }
        return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }
}

/// The transformers of the process by name.
private final class TransformerRegistry: Sendable {
    static let shared = TransformerRegistry()

    /// `@unchecked Sendable`: the registry only hands the reference on. That a registered transformer may be used by
    /// several threads at once is the contract `ValueTransformer` states.
    private struct Entry: @unchecked Sendable {
        let transformer: ValueTransformer
    }

    private let lock = NSLock()
    /// Reached under the lock only.
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

    func transformer(for name: String) -> ValueTransformer? {
        lock.withLock { entries[name] }?.transformer
    }

    func set(_ transformer: ValueTransformer?, for name: String) {
        let entry = transformer.map(Entry.init)
        lock.withLock { entries[name] = entry }
    }

    var names: [String] {
        lock.withLock { entries.keys.sorted() }
    }
}

/// The small ready-made transformers.
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
    /// What a store keeps for a value.
    package func storedForm(of value: Any?) -> Any? {
        self is NSSecureUnarchiveFromDataTransformer ? reverseTransformedValue(value) : transformedValue(value)
    }

    /// The value a store keeps as `stored`.
    package func value(fromStored stored: Any?) -> Any? {
        self is NSSecureUnarchiveFromDataTransformer ? transformedValue(stored) : reverseTransformedValue(stored)
    }
}
