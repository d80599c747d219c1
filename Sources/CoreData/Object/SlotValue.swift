import Foundation
import ObjectGraph

/// A type whose values an attribute keeps unconverted: typed properties read and write them without Foundation's objects.
protocol SlotValue {
    /// `nil` where an attribute of the type does not keep such values.
    init?(_ value: Value, _ type: ObjectGraph.AttributeType)
    /// `nil` where an attribute of the type does not keep such values.
    func value(_ type: ObjectGraph.AttributeType) -> Value?
}

extension NSManagedObject {
    @inline(__always)
    final func slotValue<Own: SlotValue>(_ key: String) -> Own? {
        guard let place = table.plainPlace(key) else { return otherValue(forKey: key) }
        let value = record(toRead: place.slot).value(place.slot)
        if case .null = value { return nil }
        return Own(value, place.type) ?? ManagedCast.value(AttributeCoding.any(value, place.type))
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
        switch (value, type) {
        case (.integer(let number), .boolean): self = number != 0
        default: return nil
        }
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .boolean: .integer(self ? 1 : 0)
        default: nil
        }
    }
}

extension SlotValue where Self: FixedWidthInteger {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        switch (value, type) {
        case (.integer(let number), .integer16), (.integer(let number), .integer32), (.integer(let number), .integer64):
            self.init(exactly: number)
        default: return nil
        }
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
        switch (value, type) {
        case (.real(let number), .double): self = number
        case (.real(let seconds), .date): self = seconds
        default: return nil
        }
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .double: .real(self)
        default: nil
        }
    }
}

extension Float: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        switch (value, type) {
        case (.real(let number), .float): self = Float(number)
        default: return nil
        }
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .float: .real(Double(self))
        default: nil
        }
    }
}

extension String: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        switch (value, type) {
        case (.text(let text), .string): self = text
        default: return nil
        }
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .string: .text(self)
        default: nil
        }
    }
}

extension Date: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        switch (value, type) {
        case (.real(let seconds), .date): self.init(timeIntervalSinceReferenceDate: seconds)
        default: return nil
        }
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .date: .real(timeIntervalSinceReferenceDate)
        default: nil
        }
    }
}

extension UUID: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        switch (value, type) {
        case (.uuid(let uuid), .uuid): self = uuid
        default: return nil
        }
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .uuid: .uuid(self)
        default: nil
        }
    }
}

extension Data: SlotValue {
    init?(_ value: Value, _ type: ObjectGraph.AttributeType) {
        switch (value, type) {
        case (.bytes(let data), .binary): self = data
        default: return nil
        }
    }

    func value(_ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .binary: .bytes(self)
        default: nil
        }
    }
}
