import Foundation
import ObjectGraph

/// Default values on their way into an archive; `ArchivedDefault` reads them.
extension KeyedArchiveWriter {
    /// The null object without a default. A composite's is a dictionary of the leaves that have a value.
    mutating func defaultValue(of attribute: Attribute) -> PropertyList {
        guard let values = attribute.defaultValue else { return Self.null }
        guard attribute.type == .composite else {
            return values.first.map { add($0, as: attribute.type) } ?? Self.null
        }
        var entries: [(key: String, value: PropertyList)] = []
        for (leaf, value) in zip(attribute.leaves, values) where !value.isNull {
            entries.append((leaf.name, add(value, as: leaf.type)))
        }
        return add(.mutableDictionary, of: entries)
    }

    /// Values that are not of the type have no archived form.
    private mutating func add(_ value: Value, as type: AttributeType) -> PropertyList {
        switch (type, value) {
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)):
            add(scalar: .integer(number))
        case (.boolean, .integer(let number)): add(scalar: .boolean(number != 0))
        case (.double, .real(let number)), (.float, .real(let number)): add(scalar: .real(number))
        case (.string, .text(let text)): add(text)
        case (.binary, .bytes(let data)): add(scalar: .data(data))
        case (.uuid, .uuid(let uuid)): add(.uuid, ["NS.uuidbytes": .data(uuid.rawBytes)])
        case (.date, .real(let seconds)): add(.date, ["NS.time": .real(seconds)])
        case (.uri, .text(let text)): add(.url, ["NS.base": Self.null, "NS.relative": add(text)])
        case (.decimal, .decimal(let number)): add(number)
        default: Self.null
        }
    }

    /// The mantissa is eight sixteen-bit words, least significant first, each in little-endian order.
    private mutating func add(_ number: Decimal) -> PropertyList {
        guard number.isFinite, let words = Self.words(of: number.significand) else { return Self.null }
        let bytes = words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let length = (words.lastIndex { $0 != 0 } ?? -1) + 1
        return add(
            .decimalNumber,
            [
                "NS.mantissa": .data(Data(bytes)), "NS.mantissa.bo": .integer(1), "NS.length": .integer(Int64(length)),
                "NS.exponent": .integer(Int64(number.exponent)), "NS.negative": .boolean(number.sign == .minus),
                "NS.compact": .boolean(true),
            ])
    }

    /// From the decimal digits, as `Decimal` itself cannot divide its largest numbers exactly.
    private static func words(of significand: Decimal) -> [UInt16]? {
        var words = [UInt16](repeating: 0, count: 8)
        for character in significand.magnitude.description {
            guard let digit = character.wholeNumberValue, character.isASCII else { return nil }
            var carry = UInt32(digit)
            for index in words.indices {
                let product = UInt32(words[index]) * 10 + carry
                words[index] = UInt16(truncatingIfNeeded: product)
                carry = product >> 16
            }
            guard carry == 0 else { return nil }
        }
        return words
    }
}
