import Foundation

/// A property list as a closed enumeration. Unlike Foundation's, it has archive references (`uid`), distinguishes
/// Booleans from numbers, and preserves every value it reads.
package indirect enum PropertyList: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A number beyond the signed range.
    case unsigned(UInt64)
    case real(Double)
    /// Seconds since 2001-01-01 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    case uid(UInt64)
    case array([PropertyList])
    case set([PropertyList])
    case dictionary([String: PropertyList])
}

extension PropertyList {
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var integerValue: Int64? {
        switch self {
        case .integer(let number): number
        case .unsigned(let number): Int64(exactly: number)
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
    }

    package var dataValue: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    package var arrayValue: [PropertyList]? {
        switch self {
        case .array(let elements), .set(let elements): elements
        default: nil
        }
    }

    package var dictionaryValue: [String: PropertyList]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }
}

/// An error for bytes that are not a valid binary property list.
package enum PropertyListError: Error, Hashable {
    case notBinary
    case badTrailer
    /// The bytes of an object, or a reference, are outside of the list.
    case outOfBounds(offset: Int)
    case unknownMarker(UInt8, offset: Int)
    case keyIsNotText(offset: Int)
    /// `tooDeep`: the list contains itself or nests too deeply. `tooLarge`: it expands to far more than its bytes.
    case tooDeep
    case tooLarge
}

extension PropertyListError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notBinary: "The bytes are not a binary property list."
        case .badTrailer: "The property list's trailer is damaged."
        case .outOfBounds(let offset): "The property list refers to something outside itself, at byte \(offset)."
        case .unknownMarker(let marker, let offset):
            "The property list has an unknown object marker \(marker) at byte \(offset)."
        case .keyIsNotText(let offset): "The property list has a dictionary key that is not text, at byte \(offset)."
        case .tooDeep: "The property list is nested too deeply."
        case .tooLarge: "The property list expands to more than can be read."
        }
    }
}
