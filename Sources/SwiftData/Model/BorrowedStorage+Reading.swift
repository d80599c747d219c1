import Foundation
import ObjectGraph

// Reading attributes. The types that most models consist of have overloads of their own, so that a property costs no
// generics, and what a slot mostly holds comes without a `Value` in between.

extension _BorrowedStorage {
    public func get(_ slot: _ModelSlot) -> String { text(slot) ?? scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> String? { text(slot) ?? scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Int { integer(slot) ?? scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Int? { integer(slot) ?? scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Double { real(slot) ?? scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Double? { real(slot) ?? scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Bool { scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Bool? { scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Date { date(slot) ?? scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Date? { date(slot) ?? scalar(slot) }
    public func get(_ slot: _ModelSlot) -> UUID { scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> UUID? { scalar(slot) }
    public func get(_ slot: _ModelSlot) -> Data { scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Data? { scalar(slot) }
    // Not Codable.
    public func get(_ slot: _ModelSlot) -> Character { scalar(slot) ?? missing(slot) }
    public func get(_ slot: _ModelSlot) -> Character? { scalar(slot) }

    @inline(__always)
    private func text(_ slot: _ModelSlot) -> String? { reading { $0.text(at: slot.first) } }

    @inline(__always)
    private func integer(_ slot: _ModelSlot) -> Int? {
        reading { $0.integer(at: slot.first) }.map(Int.init(truncatingIfNeeded:))
    }

    @inline(__always)
    private func real(_ slot: _ModelSlot) -> Double? { reading { $0.real(at: slot.first) } }

    @inline(__always)
    private func date(_ slot: _ModelSlot) -> Date? { real(slot).map(Date.init(timeIntervalSinceReferenceDate:)) }

    /// Of whatever kind the slot's value is; fires a fault.
    @inline(__always)
    private func scalar<S: ScalarValue>(_ slot: _ModelSlot) -> S? { S(slotValue: record.value(slot.first)) }

    /// Everything else that can be stored goes through the property's codec.
    @_disfavoredOverload
    public func get<V: Codable>(_ slot: _ModelSlot) -> V { getTransformable(slot) }

    public func getTransformable<V>(_ slot: _ModelSlot) -> V {
        slot.property.codec?.decoded(record.values(slot.property.slots), as: V.self) ?? missing(slot)
    }

    /// A property that is not Codable is refused where it is initialised; a second error here would say the same.
    @_disfavoredOverload
    public func get<V>(_ slot: _ModelSlot) -> V { getTransformable(slot) }

    /// A value for a property whose row has none: the property's default, else a harmless one of its type. Rows like
    /// that come from other programs, or are gone.
    private func missing<V>(_ slot: _ModelSlot) -> V {
        if let value = slot.property.defaultValue as? V { return value }
        if let value = slot.property.codec?.placeholderValue(as: V.self) { return value }
        // Nothing can be made up for a type of which no value is known; give the property a default to be safe.
        fatalError(
            "'\(record.entity.name).\(slot.property.name)' of \(record.id) has no value of its type in the store. "
                + "Give the property a default value or make it optional.")
    }
}
