import Foundation
import ObjectGraph

extension ScalarValue where Self: FixedWidthInteger {
    static var placeholder: Self { 0 }
    /// Unsigned 64-bit values above `Int64.max` are stored by their bits and read back unchanged.
    var slotValue: Value { .integer(Int64(truncatingIfNeeded: self)) }

    init?(slotValue: Value) {
        switch slotValue {
        case .integer(let number): self = Self(exactly: number) ?? Self(truncatingIfNeeded: number)
        case .real(let number):
            guard let exact = Self(exactly: number.rounded(.towardZero)) else { return nil }
            self = exact
        default: return nil
        }
    }
}

extension Int: ScalarValue { static var attributeType: AttributeType { .integer64 } }
extension Int64: ScalarValue { static var attributeType: AttributeType { .integer64 } }
extension Int32: ScalarValue { static var attributeType: AttributeType { .integer32 } }
extension Int16: ScalarValue { static var attributeType: AttributeType { .integer16 } }
extension Int8: ScalarValue { static var attributeType: AttributeType { .integer16 } }
extension UInt: ScalarValue { static var attributeType: AttributeType { .integer64 } }
extension UInt64: ScalarValue { static var attributeType: AttributeType { .integer64 } }
extension UInt32: ScalarValue { static var attributeType: AttributeType { .integer32 } }
extension UInt16: ScalarValue { static var attributeType: AttributeType { .integer16 } }
extension UInt8: ScalarValue { static var attributeType: AttributeType { .integer16 } }

extension Bool: ScalarValue {
    static var attributeType: AttributeType { .boolean }
    static var placeholder: Bool { false }
    var slotValue: Value { .integer(self ? 1 : 0) }

    init?(slotValue: Value) {
        guard case .integer(let number) = slotValue else { return nil }
        self = number != 0
    }
}

extension Double: ScalarValue {
    static var attributeType: AttributeType { .double }
    static var placeholder: Double { 0 }
    var slotValue: Value { .real(self) }

    init?(slotValue: Value) {
        switch slotValue {
        case .real(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

extension Float: ScalarValue {
    static var attributeType: AttributeType { .float }
    static var placeholder: Float { 0 }
    var slotValue: Value { .real(Double(self)) }

    init?(slotValue: Value) {
        guard let number = Double(slotValue: slotValue) else { return nil }
        self = Float(number)
    }
}

extension Date: ScalarValue {
    static var attributeType: AttributeType { .date }
    static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }
    var slotValue: Value { .real(timeIntervalSinceReferenceDate) }

    init?(slotValue: Value) {
        guard let seconds = Double(slotValue: slotValue) else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension Decimal: ScalarValue {
    static var attributeType: AttributeType { .decimal }
    static var placeholder: Decimal { 0 }
    var slotValue: Value { .decimal(self) }

    init?(slotValue: Value) {
        switch slotValue {
        case .decimal(let number): self = number
        case .integer(let number): self = Decimal(number)
        case .real(let number):
            // The intended decimal is the shortest text of the number, not its binary expansion.
            guard let decimal = Decimal(string: String(number)) else { return nil }
            self = decimal
        default: return nil
        }
    }
}

extension String: ScalarValue {
    static var attributeType: AttributeType { .string }
    static var placeholder: String { "" }
    var slotValue: Value { .text(self) }

    init?(slotValue: Value) {
        guard case .text(let text) = slotValue else { return nil }
        self = text
    }
}

extension Character: ScalarValue {
    static var attributeType: AttributeType { .string }
    static var placeholder: Character { " " }
    var slotValue: Value { .text(String(self)) }

    init?(slotValue: Value) {
        guard case .text(let text) = slotValue, let first = text.first else { return nil }
        self = first
    }
}

extension UUID: ScalarValue {
    static var attributeType: AttributeType { .uuid }
    static var placeholder: UUID { UUID(uuid: UUID_NULL) }
    var slotValue: Value { .uuid(self) }

    init?(slotValue: Value) {
        guard case .uuid(let uuid) = slotValue else { return nil }
        self = uuid
    }
}

private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

extension URL: ScalarValue {
    static var attributeType: AttributeType { .uri }
    static var placeholder: URL { URL(fileURLWithPath: "/") }
    var slotValue: Value { .text(absoluteString) }

    init?(slotValue: Value) {
        guard case .text(let text) = slotValue, let url = URL(string: text) else { return nil }
        self = url
    }
}

extension Data: ScalarValue {
    static var attributeType: AttributeType { .binary }
    static var placeholder: Data { Data() }
    var slotValue: Value { .bytes(self) }

    init?(slotValue: Value) {
        guard case .bytes(let data) = slotValue else { return nil }
        self = data
    }
}
