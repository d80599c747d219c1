import Foundation
import ObjectGraph

/// What the runtime says of a key path beyond the standard library's equality.
///
/// `\Dog.name` and `\Animal.name` differ for the standard library, as their roots and getters do. In memory both have
/// one component with the same header and the same identifier of the property, which is what equality of components
/// goes by.
struct KeyPathIdentity: Equatable {
    /// Size and flags of the component, without what padding may hold.
    private let header: UInt32
    private let property: UInt
    private let valueType: ObjectIdentifier

    /// `nil` for a key path of several components, or of one that is not a computed property.
    init?(_ keyPath: AnyKeyPath) {
        #if _pointerBitWidth(_64)
        // A key path object: two words of header, a word for its text, then the components' total size in the lower
        // 24 bits of a word. A computed component is its own header, in a word of its own, the property's
        // identifier, the getter and, where it has one, the setter.
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

    /// Whether it goes through several properties. False for a key path that force-unwraps an optional: it cannot be read
    /// safely.
    var isSafeChain: Bool {
        let text = debugDescription
        if text.contains(">!") { return false }
        return text.contains(">.") || text.contains(">?.")
    }

    /// Whether it goes through stored properties alone, and force-unwraps none: it can be read from any object.
    var isStored: Bool {
        let text = debugDescription
        return !text.contains("<computed ") && !text.contains("!")
    }

    /// Whether the property before the last is reached through another, or is stored in the object. False for a key path that
    /// force-unwraps an optional.
    var isLongChain: Bool {
        let text = debugDescription
        if text.contains("!") { return false }
        guard let last = text.range(of: "<computed ", options: .backwards) else { return true }
        let rest = text[..<last.lowerBound].trimmingSuffix { ".?".contains($0) }
        return rest.contains(">.") || rest.contains(">?.") || !rest.contains("<computed ")
    }

    /// Whether it leads to a text that carries an order.
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
    /// The property a key path leads to, whichever class of the chain it was written for.
    func anyProperty(at keyPath: AnyKeyPath) -> ModelProperty? {
        property(at: keyPath) ?? inheritedProperty(at: keyPath)
    }

    /// The text property of the class that a key path leads to, with an order after it.
    func textProperty(orderedAt keyPath: AnyKeyPath) -> ModelProperty? {
        let orders: [AnyKeyPath] = [
            \String.inLocalizedOrder, \String.inLocalizedStandardOrder, \String?.inLocalizedOrder,
            \String?.inLocalizedStandardOrder,
        ]
        return allProperties.first { property in
            orders.contains { property.keyPath.appending(path: $0) == keyPath }
        }
    }

    /// The inherited property that a key path rooted in this class leads to.
    func inheritedProperty(at keyPath: AnyKeyPath) -> ModelProperty? {
        guard superType != nil, let identity = KeyPathIdentity(keyPath) else { return nil }
        return allProperties.first { KeyPathIdentity($0.keyPath) == identity }
    }

    /// Whether a key path gives the model's identity rather than a property.
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
