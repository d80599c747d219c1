import Foundation
import ObjectGraph

// Initial values of attributes. The most common types have overloads of their own, so that an initialization is not generic;
// all others use the property's codec.

extension _ModelStorage {
    // MARK: Plain types

    /// Sets the initial value of a text attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: consuming String) {
        record.setInitialValue(text: value, at: slot.first)
    }
    /// Sets the initial value of an integer attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Int) { initialize(slot, scalar: value) }
    /// Sets the initial value of a floating-point attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Double) { initialize(slot, scalar: value) }
    /// Sets the initial value of a Boolean attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Bool) { initialize(slot, scalar: value) }
    /// Sets the initial value of a date attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Date) { initialize(slot, scalar: value) }
    /// Sets the initial value of a UUID attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: UUID) { initialize(slot, scalar: value) }
    /// Sets the initial value of a data attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Data) { initialize(slot, scalar: value) }

    @inline(__always)
    func initialize<S: ScalarValue>(_ slot: _ModelSlot, scalar value: S) {
        setInitialValue(value.slotValue, to: slot)
    }

    /// Inlined where the kind of value is known, so that no `Value` is made.
    @inline(__always)
    func setInitialValue(_ value: Value, to slot: _ModelSlot) {
        switch value {
        case .integer(let integer): record.setInitialValue(integer: integer, at: slot.first)
        case .real(let real): record.setInitialValue(real: real, at: slot.first)
        case .text(let text): record.setInitialValue(text: text, at: slot.first)
        default: record.setInitialValue(value, at: slot.first)
        }
    }

    // MARK: Optionals of them

    /// Sets the initial value of an optional text attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: String?) { initialize(slot, optional: value) }
    /// Sets the initial value of an optional integer attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Int?) { initialize(slot, optional: value) }
    /// Sets the initial value of an optional floating-point attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Double?) { initialize(slot, optional: value) }
    /// Sets the initial value of an optional Boolean attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Bool?) { initialize(slot, optional: value) }
    /// Sets the initial value of an optional date attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Date?) { initialize(slot, optional: value) }
    /// Sets the initial value of an optional UUID attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: UUID?) { initialize(slot, optional: value) }
    /// Sets the initial value of an optional data attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Data?) { initialize(slot, optional: value) }

    /// Nil is written too: an initializer may replace a property's default value.
    @inline(__always)
    private func initialize<S: ScalarValue>(_ slot: _ModelSlot, optional value: S?) {
        setInitialValue(value?.slotValue ?? .null, to: slot)
    }

    // MARK: Character, which is not Codable

    /// Sets the initial value of a character attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Character) { initialize(slot, scalar: value) }
    /// Sets the initial value of an optional character attribute. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize(_ slot: _ModelSlot, _ value: Character?) { initialize(slot, encodable: value) }

    // MARK: Everything else that can be stored

    /// Sets the initial value of an attribute of any other Codable type. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    @_disfavoredOverload
    public func initialize<V: Codable>(_ slot: _ModelSlot, _ value: V) { initialize(slot, encodable: value) }

    /// Sets the initial value of an attribute with a value transformer or a codec. For generated code.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initializeTransformable<V>(_ slot: _ModelSlot, _ value: V) { initialize(slot, encodable: value) }

    private func initialize<V>(_ slot: _ModelSlot, encodable value: V) {
        guard !isMaterialized, let codec = slot.property.codec else { return }
        guard let leaves = record.leaves(of: value, codec, slot) else { return }
        for (offset, leaf) in leaves.enumerated() { record.setInitialValue(leaf, at: slot.first + offset) }
    }

    /// A property of any other type is refused here, and in none of its other accessors, so that the error comes once.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "a stored property must be Codable or a model; mark it @Transient to keep it out"
    )
    /// Unavailable: refuses a property whose type cannot be stored. Its other accessors accept it, so that there is one
    /// error only.
    /// - Parameters:
    ///   - slot: The attribute.
    ///   - value: The initial value.
    public func initialize<V>(_ slot: _ModelSlot, _ value: V) {}
}
