import Foundation
import ObjectGraph

/// A type whose values an attribute keeps as they are: typed properties read and write these without the detour through
/// Foundation's objects.
protocol SlotValue {
    /// `nil` where an attribute of the type does not keep such values.
    init?(_ value: Value, _ type: ObjectGraph.AttributeType)
    /// `nil` where an attribute of the type does not keep such values.
    func value(_ type: ObjectGraph.AttributeType) -> Value?
}

extension NSManagedObject {
    @inline(__always)
    final func slotValue<Own: SlotValue>(_ key: String) -> Own? {
        guard case .attribute(let place)? = table[key], place.isPlain else { return ManagedCast.value(value(forKey: key)) }
        willRead()
        let value = record.value(place.slot)
        return value.isNull ? nil : Own(value, place.type) ?? ManagedCast.value(attributeValue(place))
    }

    @inline(__always)
    final func setSlotValue<Own: SlotValue>(_ own: Own?, _ key: String) {
        guard let own, case .attribute(let place)? = table[key], place.isPlain, !isAwakening,
            let value = own.value(place.type)
        else { return setValue(own, forKey: key) }
        willRead()
        setPlain(value, place)
    }
}

extension Bool: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        guard case .integer(let number) = value, type == .boolean else { return nil }
        self = number != 0
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? { type == .boolean ? .integer(self ? 1 : 0) : nil }
}

extension SlotValue where Self: FixedWidthInteger {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        guard case .integer(let number) = value, type != .boolean else { return nil }
        self.init(exactly: number)
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .integer16: Int16(exactly: self).map { .integer(Int64($0)) }
        case .integer32: Int32(exactly: self).map { .integer(Int64($0)) }
        case .integer64: .integer(Int64(self))
        default: nil
        }
    }
}

extension Int: SlotValue {}
extension Int16: SlotValue {}
extension Int32: SlotValue {}
extension Int64: SlotValue {}

extension Double: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        guard case .real(let number) = value, type == .double || type == .date else { return nil }
        self = number
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? { type == .double ? .real(self) : nil }
}

extension Float: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        guard case .real(let number) = value, type == .float else { return nil }
        self = Float(number)
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? { type == .float ? .real(Double(self)) : nil }
}

extension String: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        guard case .text(let text) = value, type == .string else { return nil }
        self = text
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? { type == .string ? .text(self) : nil }
}

extension Date: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        guard case .real(let seconds) = value, type == .date else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? {
        type == .date ? .real(timeIntervalSinceReferenceDate) : nil
    }
}

extension UUID: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        guard case .uuid(let uuid) = value else { return nil }
        self = uuid
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? { type == .uuid ? .uuid(self) : nil }
}

extension Data: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        guard case .bytes(let data) = value, type == .binary else { return nil }
        self = data
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? { type == .binary ? .bytes(self) : nil }
}
