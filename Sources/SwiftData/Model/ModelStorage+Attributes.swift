import Foundation
import ObjectGraph

// Initial values of attributes. The types that most models consist of have overloads of their own, so that a property
// costs no generics; everything else goes through the property's codec.

extension _ModelStorage {
    // MARK: Plain types

    public func initialize(_ slot: _ModelSlot, _ value: consuming String) {
        record.giveInitialValue(text: value, at: slot.first)
    }
    public func initialize(_ slot: _ModelSlot, _ value: Int) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Double) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Bool) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Date) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: UUID) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Data) { initialize(slot, scalar: value) }

    @inline(__always)
    func initialize<S: ScalarValue>(_ slot: _ModelSlot, scalar value: S) {
        giveInitialValue(value.slotValue, to: slot)
    }

    /// Inlined where the kind of value is known, so that no `Value` is made.
    @inline(__always)
    func giveInitialValue(_ value: Value, to slot: _ModelSlot) {
        switch value {
        case .integer(let integer): record.giveInitialValue(integer: integer, at: slot.first)
        case .real(let real): record.giveInitialValue(real: real, at: slot.first)
        case .text(let text): record.giveInitialValue(text: text, at: slot.first)
        default: record.giveInitialValue(value, at: slot.first)
        }
    }

    // MARK: Optionals of them

    public func initialize(_ slot: _ModelSlot, _ value: String?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Int?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Double?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Bool?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Date?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: UUID?) { initialize(slot, optional: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Data?) { initialize(slot, optional: value) }

    /// Nil is written too: an initialiser may take back a property's default.
    @inline(__always)
    private func initialize<S: ScalarValue>(_ slot: _ModelSlot, optional value: S?) {
        giveInitialValue(value?.slotValue ?? .null, to: slot)
    }

    // MARK: Character, which is not Codable

    public func initialize(_ slot: _ModelSlot, _ value: Character) { initialize(slot, scalar: value) }
    public func initialize(_ slot: _ModelSlot, _ value: Character?) { initialize(slot, encodable: value) }

    // MARK: Everything else that can be stored

    @_disfavoredOverload
    public func initialize<V: Codable>(_ slot: _ModelSlot, _ value: V) { initialize(slot, encodable: value) }

    public func initializeTransformable<V>(_ slot: _ModelSlot, _ value: V) { initialize(slot, encodable: value) }

    private func initialize<V>(_ slot: _ModelSlot, encodable value: V) {
        guard !isMaterialized, let codec = slot.property.codec else { return }
        guard let leaves = record.leaves(of: value, codec, slot) else { return }
        for (offset, leaf) in leaves.enumerated() { record.giveInitialValue(leaf, at: slot.first + offset) }
    }

    /// A property of any other type is refused here, and in none of its other accessors, so that the error comes once.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "a stored property must be Codable or a model; mark it @Transient to keep it out"
    )
    public func initialize<V>(_ slot: _ModelSlot, _ value: V) {}
}
