import Foundation

/// A property list, as a closed value. Unlike Foundation's it knows archive references (`uid`), tells Booleans from
/// numbers, and keeps every value it reads as it was.
package indirect enum PropertyList: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// Beyond the signed range.
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

/// Bytes that are not a binary property list.
package enum PropertyListError: Error, Hashable {
    case notBinary
    case badTrailer
    /// An object's bytes, or a reference, lie outside the list.
    case outOfBounds(offset: Int)
    case unknownMarker(UInt8, offset: Int)
    case keyIsNotText(offset: Int)
    /// Lists that contain themselves, or unfold to far more than their bytes.
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
        case .tooLarge: "The property list unfolds to more than can be read."
        }
    }
}
