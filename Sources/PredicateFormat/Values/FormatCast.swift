import Foundation
import ObjectGraph

/// `CAST(value, "type")` of a constant. In addition to Apple's `NSDate` and `NSNumber` it supports the types without a
/// literal, so that every constant can be written as text.
enum FormatCast {
    static func apply(_ value: FormatConstant, to type: String) -> FormatConstant? {
        if value.isNull { return .null }
        switch type {
        case "NSDate", "Date": return value.coerced(to: .date)
        case "NSNumber":
            if case .date(let seconds) = value { return .real(seconds) }
            return value.coerced(to: .real)
        case "NSDecimalNumber", "Decimal":
            if case .date(let seconds) = value { return .real(seconds) }
            return decimal(value)
        case "NSString", "String": return value.coerced(to: .text)
        case "NSUUID", "UUID": return value.coerced(to: .uuid)
        case "NSURL", "URL": return value.coerced(to: .url)
        case "NSData", "Data":
            if case .text(let text) = value { return Data(base64Encoded: text).map(FormatConstant.bytes) }
            return value.coerced(to: .bytes)
        case "NSManagedObjectID": return value.coerced(to: .object)
        default: return nil
        }
    }

    /// Returns the constant of a cast that stands for a literal: casts that the printer writes for such types are parsed
    /// as constants.
    static func literal(_ value: FormatConstant, _ type: String) -> FormatConstant? {
        let types = ["NSDate", "NSUUID", "NSURL", "NSData", "NSManagedObjectID"]
        return types.contains(type) && !value.isNull ? apply(value, to: type) : nil
    }

    private static func decimal(_ value: FormatConstant) -> FormatConstant? {
        switch value {
        case .integer(let integer): .decimal(Decimal(integer))
        case .real(let real): Decimal(shortestDigitsOf: real).map(FormatConstant.decimal)
        default: value.coerced(to: .decimal)
        }
    }
}
