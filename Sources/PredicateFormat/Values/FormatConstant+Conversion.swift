import Foundation
import ObjectGraph

/// A type whose values can be constants of the predicate language.
package protocol FormatConvertible {
    var formatConstant: FormatConstant { get }
}

extension FormatConstant {
    /// Converts any value to a constant; `.object` for a type that the language does not have.
    package init(_ value: Any?) {
        guard let value else {
            self = .null
            return
        }
        if let convertible = value as? any FormatConvertible {
            self = convertible.formatConstant
        } else {
            self = .object(FormatObject(value))
        }
    }

    /// The constant as a program expects it: Foundation's values, nil instead of `NSNull`, numbers as Swift's.
    package var programValue: Any? {
        switch self {
        case .null: nil
        case .boolean(let truth): truth
        case .integer(let integer): Int(exactly: integer) ?? integer
        case .real(let real): real
        case .decimal(let decimal): decimal
        case .text(let text): text
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .bytes(let data): data
        case .uuid(let uuid): uuid
        case .url(let text): URL(string: text) ?? text
        case .reference(let id): id
        case .list(let members): members.map { $0.programValue ?? NSNull() }
        case .object(let object): object.base
        }
    }
}

extension FormatConstant: FormatConvertible {
    package var formatConstant: FormatConstant { self }
}

extension FormatConvertible where Self: BinaryInteger {
    package var formatConstant: FormatConstant {
        Int64(exactly: self).map(FormatConstant.integer) ?? .decimal(Decimal(string: "\(self)") ?? .nan)
    }
}

extension Int: FormatConvertible {}
extension Int8: FormatConvertible {}
extension Int16: FormatConvertible {}
extension Int32: FormatConvertible {}
extension Int64: FormatConvertible {}
extension UInt: FormatConvertible {}
extension UInt8: FormatConvertible {}
extension UInt16: FormatConvertible {}
extension UInt32: FormatConvertible {}
extension UInt64: FormatConvertible {}

extension Bool: FormatConvertible {
    package var formatConstant: FormatConstant { .boolean(self) }
}

extension Double: FormatConvertible {
    package var formatConstant: FormatConstant { .real(self) }
}

extension Float: FormatConvertible {
    package var formatConstant: FormatConstant { .real(Double(self)) }
}

extension CGFloat: FormatConvertible {
    package var formatConstant: FormatConstant { .real(Double(self)) }
}

extension Decimal: FormatConvertible {
    package var formatConstant: FormatConstant { .decimal(self) }
}

extension String: FormatConvertible {
    package var formatConstant: FormatConstant { .text(self) }
}

extension Substring: FormatConvertible {
    package var formatConstant: FormatConstant { .text(String(self)) }
}

extension Character: FormatConvertible {
    package var formatConstant: FormatConstant { .text(String(self)) }
}

extension Date: FormatConvertible {
    package var formatConstant: FormatConstant { .date(timeIntervalSinceReferenceDate) }
}

extension Data: FormatConvertible {
    package var formatConstant: FormatConstant { .bytes(self) }
}

extension UUID: FormatConvertible {
    package var formatConstant: FormatConstant { .uuid(self) }
}

extension URL: FormatConvertible {
    package var formatConstant: FormatConstant { .url(absoluteString) }
}

extension ObjectID: FormatConvertible {
    package var formatConstant: FormatConstant { .reference(self) }
}

extension Optional: FormatConvertible {
    package var formatConstant: FormatConstant { map { FormatConstant($0) } ?? .null }
}

extension Array: FormatConvertible {
    package var formatConstant: FormatConstant { .list(map { FormatConstant($0) }) }
}

extension Set: FormatConvertible {
    package var formatConstant: FormatConstant { .unordered(map { FormatConstant($0) }) }
}

extension FormatConstant {
    /// A list of a set's members, in an order that depends only on the members: equal sets give equal lists.
    fileprivate static func unordered(_ members: [FormatConstant]) -> FormatConstant {
        if members.count < 2 { return .list(members) }
        return .list(members.map { ($0.hashValue, $0) }.sorted { $0.0 < $1.0 }.map(\.1))
    }
}

// MARK: Foundation's classes

extension NSNull: FormatConvertible {
    package var formatConstant: FormatConstant { .null }
}

extension NSNumber: FormatConvertible {
    /// Truth values and small integers are indistinguishable; both become 1 or 0.
    package var formatConstant: FormatConstant {
        if let decimal = self as? NSDecimalNumber { return .decimal(decimal.decimalValue) }
        switch UInt8(truncatingIfNeeded: objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"):
            let integer = int64Value
            return integer == 0 || integer == 1 ? .boolean(integer == 1) : .integer(integer)
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .real(doubleValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"): return uint64Value.formatConstant
        default: return .integer(int64Value)
        }
    }
}

extension NSString: FormatConvertible {
    package var formatConstant: FormatConstant { .text(String(describing: self)) }
}

extension NSDate: FormatConvertible {
    package var formatConstant: FormatConstant { .date(timeIntervalSinceReferenceDate) }
}

extension NSData: FormatConvertible {
    package var formatConstant: FormatConstant { .bytes(Data(referencing: self)) }
}

extension NSUUID: FormatConvertible {
    package var formatConstant: FormatConstant { UUID(uuidString: uuidString).map(FormatConstant.uuid) ?? .null }
}

extension NSURL: FormatConvertible {
    package var formatConstant: FormatConstant { (absoluteString as String?).map(FormatConstant.url) ?? .null }
}

extension NSArray: FormatConvertible {
    package var formatConstant: FormatConstant { .list(map { FormatConstant($0) }) }
}

extension NSSet: FormatConvertible {
    package var formatConstant: FormatConstant { .unordered(map { FormatConstant($0) }) }
}

extension NSOrderedSet: FormatConvertible {
    package var formatConstant: FormatConstant { .list(map { FormatConstant($0) }) }
}
