import Foundation
import ObjectGraph

/// The identity of a key path in the runtime's representation, beyond the standard library's equality.
///
/// `\Dog.name` and `\Animal.name` are different for the standard library, as their roots and getters are. In memory both
/// have one component with the same header and the same property identifier, by which the components compare equal.
struct KeyPathIdentity: Equatable {
    /// The size and flags of the component, without padding.
    private let header: UInt32
    private let property: UInt
    private let valueType: ObjectIdentifier

    /// `nil` for a key path of several components, or of one that is not a computed property.
    init?(_ keyPath: AnyKeyPath) {
        #if _pointerBitWidth(_64)
        // A key path object has two words of header, a word for its text, and the components' total size in the lower 24
        // bits of a word. A computed component follows: its own header, in a word of its own, the property's identifier,
        // the getter, and the setter if there is one.
        let size = keyPath.word(at: 24) & 0xFF_FFFF
        guard size == 24 || size == 32, keyPath.debugDescription.contains(".<computed ") else { return nil }
        header = UInt32(truncatingIfNeeded: keyPath.word(at: 32))
        property = keyPath.word(at: 40)
        valueType = ObjectIdentifier(type(of: keyPath).valueType)
        #else
        return nil
        #endif
    }
}

extension AnyKeyPath {
    fileprivate func word(at offset: Int) -> UInt {
        withExtendedLifetime(self) {
            Unmanaged.passUnretained(self).toOpaque().load(fromByteOffset: offset, as: UInt.self)
        }
    }

    /// Whether the key path has several properties. False for a key path that force-unwraps an optional: reading it may
    /// trap.
    var isSafeChain: Bool {
        let text = debugDescription
        if text.contains(">!") { return false }
        return text.contains(">.") || text.contains(">?.")
    }

    /// Whether the key path has stored properties only, and no force-unwrap: it can be read from any object.
    var isStored: Bool {
        let text = debugDescription
        return !text.contains("<computed ") && !text.contains("!")
    }

    /// Whether the property before the last is reached through another, or is a stored property. False for a key path that
    /// force-unwraps an optional.
    var isLongChain: Bool {
        let text = debugDescription
        if text.contains("!") { return false }
        guard let last = text.range(of: "<computed ", options: .backwards) else { return true }
        let rest = text[..<last.lowerBound].trimmingSuffix { ".?".contains($0) }
        return rest.contains(">.") || rest.contains(">?.") || !rest.contains("<computed ")
    }

    /// Whether the value of the key path is a text with an order.
    var isOrderedText: Bool {
        let type = Swift.type(of: self).valueType
        return ((type as? any OptionalType.Type)?.wrappedType ?? type) is any OrderedText.Type
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}

extension ModelType {
    /// The property at a key path that is rooted in this class or a superclass.
    func anyProperty(at keyPath: AnyKeyPath) -> ModelProperty? {
        property(at: keyPath) ?? inheritedProperty(at: keyPath)
    }

    /// The text property of the class at a key path that continues with an order.
    func textProperty(orderedAt keyPath: AnyKeyPath) -> ModelProperty? {
        let orders: [AnyKeyPath] = [
            \String.inLocalizedOrder, \String.inLocalizedStandardOrder, \String?.inLocalizedOrder,
            \String?.inLocalizedStandardOrder,
        ]
        return allProperties.first { property in
            orders.contains { property.keyPath.appending(path: $0) == keyPath }
        }
    }

    /// The inherited property at a key path that is rooted in this class.
    func inheritedProperty(at keyPath: AnyKeyPath) -> ModelProperty? {
        guard superType != nil, let identity = KeyPathIdentity(keyPath) else { return nil }
        return allProperties.first { KeyPathIdentity($0.keyPath) == identity }
    }

    /// Whether the value of a key path is the model's identity rather than a property.
    func isIdentity(_ keyPath: AnyKeyPath) -> Bool {
        type.isIdentity(keyPath)
    }
}

extension PersistentModel {
    fileprivate static func isIdentity(_ keyPath: AnyKeyPath) -> Bool {
        let named: KeyPath<Self, PersistentIdentifier> = \Self.persistentModelID
        if keyPath == named { return true }
        let unnamed: KeyPath<Self, PersistentIdentifier> = \Self.id
        return keyPath == unnamed
    }
}
