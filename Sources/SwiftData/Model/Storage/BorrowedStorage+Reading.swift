import Foundation
import ObjectGraph

// Reading attributes. The most common types have overloads of their own, so that a read is not generic, and the usual kind
// of value is read without a `Value` in between.

extension _BorrowedStorage {
    /// Returns the value of a text attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> String { text(slot) ?? scalar(slot) ?? missing(slot) }
    /// Returns the value of an optional text attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> String? { text(slot) ?? scalar(slot) }
    /// Returns the value of an integer attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Int { integer(slot) ?? scalar(slot) ?? missing(slot) }
    /// Returns the value of an optional integer attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Int? { integer(slot) ?? scalar(slot) }
    /// Returns the value of a floating-point attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Double { real(slot) ?? scalar(slot) ?? missing(slot) }
    /// Returns the value of an optional floating-point attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Double? { real(slot) ?? scalar(slot) }
    /// Returns the value of a Boolean attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Bool { scalar(slot) ?? missing(slot) }
    /// Returns the value of an optional Boolean attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Bool? { scalar(slot) }
    /// Returns the value of a date attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Date { date(slot) ?? scalar(slot) ?? missing(slot) }
    /// Returns the value of an optional date attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Date? { date(slot) ?? scalar(slot) }
    /// Returns the value of a UUID attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> UUID { scalar(slot) ?? missing(slot) }
    /// Returns the value of an optional UUID attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> UUID? { scalar(slot) }
    /// Returns the value of a data attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Data { scalar(slot) ?? missing(slot) }
    /// Returns the value of an optional data attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Data? { scalar(slot) }
    // `Character` is not Codable.

    /// Returns the value of a character attribute. For generated accessors.
    /// - Parameter slot: The attribute.
    public func get(_ slot: _ModelSlot) -> Character { scalar(slot) ?? missing(slot) }
    /// Returns the value of an optional character attribute. For generated accessors.
    /// - Parameter slot: The attribute.
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

    /// Reads a value of any kind; fires a fault.
    @inline(__always)
    private func scalar<S: ScalarValue>(_ slot: _ModelSlot) -> S? { S(slotValue: record.value(slot.first)) }

    /// Returns the value of an attribute of any other Codable type, by the attribute's codec. For generated accessors.
    /// - Parameter slot: The attribute.
    @_disfavoredOverload
    public func get<V: Codable>(_ slot: _ModelSlot) -> V { getTransformable(slot) }

    /// Returns the value of an attribute with a value transformer or a codec. For generated accessors.
    /// - Parameter slot: The attribute.
    public func getTransformable<V>(_ slot: _ModelSlot) -> V {
        slot.property.codec?.decoded(record.values(slot.property.slots), as: V.self) ?? missing(slot)
    }

    /// Returns the value of an attribute whose type cannot be stored. For generated accessors: the compiler already refuses
    /// the attribute where it is initialized, and a second error would add nothing.
    /// - Parameter slot: The attribute.
    @_disfavoredOverload
    public func get<V>(_ slot: _ModelSlot) -> V { getTransformable(slot) }

    /// The value of a property whose row has none: the property's default, else an empty value of its type. Such rows are
    /// written by other programs, or are gone.
    private func missing<V>(_ slot: _ModelSlot) -> V {
        if let value = slot.property.defaultValue as? V { return value }
        if let value = slot.property.codec?.placeholderValue(as: V.self) { return value }
        // No value can be made for an unknown type; a default value of the property avoids this.
        fatalError(
            "'\(record.entity.name).\(slot.property.name)' of \(record.id) has no value of its type in the store. "
                + "Give the property a default value or make it optional.")
    }
}
