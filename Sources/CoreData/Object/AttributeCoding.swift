import AppleFormats
import Foundation
import FoundationAdditions
import ObjectGraph
import PredicateFormat

/// Converts attribute values between those that programs pass and get and the engine's.
enum AttributeCoding {
    /// - Returns: `nil` for a value that is not of the type. `nil` and `NSNull` are null.
    static func value(_ any: Any?, _ type: ObjectGraph.AttributeType) -> Value? {
        guard let any else { return .null }
        return given(any, type)
    }

    /// - Returns: `nil` for a value that is not of the type.
    static func given(_ any: Any, _ type: ObjectGraph.AttributeType) -> Value? {
        usual(any, type) ?? value(FormatConstant(any), type)
    }

    /// Fast path for values of an attribute's usual type, which matters for batches of rows.
    @inline(__always)
    private static func usual(_ any: Any, _ type: ObjectGraph.AttributeType) -> Value? {
        switch type {
        case .string: exact(any, String.self).map(Value.text)
        case .integer64: exact(any, Int.self).map { .integer(Int64($0)) }
        case .integer32: exact(any, Int.self).flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
        case .integer16: exact(any, Int.self).flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) }
        case .double: exact(any, Double.self).map(Value.real)
        case .date: exact(any, Date.self).map { .real($0.timeIntervalSinceReferenceDate) }
        case .uuid: exact(any, UUID.self).map(Value.uuid)
        case .binary: exact(any, Data.self).map(Value.bytes)
        default: nil
        }
    }

    /// The value if its type is exactly the wanted one, which `as?` also determines, but only after trying other conversions.
    /// Called with an `Any`, it is specialized for the contained type.
    @inline(__always)
    private static func exact<Given, Wanted>(_ given: Given, _ wanted: Wanted.Type) -> Wanted? {
        // The types are equal, so nothing is reinterpreted.
        Given.self == wanted ? unsafeBitCast(given, to: wanted) : nil
    }

    private static func value(_ constant: FormatConstant, _ type: ObjectGraph.AttributeType) -> Value? {
        if constant.isNull { return .null }
        return switch type {
        case .integer16: integer(constant, in: Int64(Int16.min)...Int64(Int16.max))
        case .integer32: integer(constant, in: Int64(Int32.min)...Int64(Int32.max))
        case .integer64: integer(constant, in: .min ... .max)
        case .boolean: integer(constant, in: .min ... .max).map { $0 == .integer(0) ? $0 : .integer(1) }
        case .double: real(constant)
        case .float: real(constant).map { if case .real(let real) = $0 { .real(Double(Float(real))) } else { $0 } }
        case .decimal: decimal(constant)
        case .string: if case .text(let text) = constant { .text(text) } else { nil }
        case .date: if case .date(let seconds) = constant { .real(seconds) } else { nil }
        case .binary: if case .bytes(let data) = constant { .bytes(data) } else { nil }
        case .uuid: if case .uuid(let uuid) = constant { .uuid(uuid) } else { nil }
        case .uri: if case .url(let text) = constant { .text(text) } else { nil }
        case .transformable, .composite: nil
        }
    }

    private static func integer(_ constant: FormatConstant, in range: ClosedRange<Int64>) -> Value? {
        let number: Int64? =
            switch constant {
            case .integer(let integer): integer
            case .boolean(let truth): truth ? 1 : 0
            case .real(let real): Int64(exactly: real)
            case .decimal(let decimal): Int64(decimal.description)
            default: nil
            }
        return number.flatMap { range.contains($0) ? .integer($0) : nil }
    }

    private static func real(_ constant: FormatConstant) -> Value? {
        switch constant {
        case .real(let real): .real(real)
        case .integer(let integer): .real(Double(integer))
        case .boolean(let truth): .real(truth ? 1 : 0)
        case .decimal(let decimal): .real(decimal.storedDouble)
        default: nil
        }
    }

    private static func decimal(_ constant: FormatConstant) -> Value? {
        switch constant {
        case .decimal(let decimal): .decimal(decimal)
        case .integer(let integer): .decimal(Decimal(integer))
        case .real(let real): Decimal(string: real.description).map(Value.decimal)
        default: nil
        }
    }

    /// Numbers become `NSNumber`, which casts to every numeric type that can hold them; decimals become `NSDecimalNumber`.
    static func any(_ value: Value, _ type: ObjectGraph.AttributeType) -> Any? {
        switch (value, type) {
        case (.null, _): nil
        case (.integer(let number), .boolean): NSNumber(value: number != 0)
        case (.integer(let number), _): NSNumber(value: number)
        case (.real(let seconds), .date): Date(timeIntervalSinceReferenceDate: seconds)
        case (.real(let number), .float): NSNumber(value: Float(number))
        case (.real(let number), _): NSNumber(value: number)
        case (.text(let text), .uri): URL(string: text)
        case (.text(let text), _): text
        case (.bytes(let data), .transformable): KeyedArchives.object(data)
        case (.bytes(let data), _): data
        case (.uuid(let uuid), _): uuid
        case (.decimal(let number), _): NSDecimalNumber(decimal: number)
        case (.reference, _): nil
        }
    }

    /// The values of all leaves of an attribute.
    /// - Returns: `nil` when the value, or one of a composite's elements, is not of the type.
    static func values(_ any: Any?, of attribute: Attribute) -> [Value]? {
        switch attribute.type {
        case .composite: return composite(any, attribute)
        case .transformable:
            guard let any, !(any is NSNull) else { return [.null] }
            return Transformables.data(any, by: attribute.transformerName).map { [.bytes($0)] }
        default: return value(any, attribute.type).map { [$0] }
        }
    }

    private static func composite(_ any: Any?, _ attribute: Attribute) -> [Value]? {
        guard let any, !(any is NSNull) else { return attribute.leaves.map { _ in .null } }
        guard let dictionary = any as? [String: Any] else { return nil }
        var values: [Value] = []
        for element in attribute.elements {
            guard let own = self.values(dictionary[element.name], of: element) else { return nil }
            values += own
        }
        return values
    }

    /// The value of an attribute that has one leaf.
    static func any(_ value: Value, of attribute: Attribute) -> Any? {
        guard attribute.type == .transformable, case .bytes(let data) = value else { return any(value, attribute.type) }
        return Transformables.object(data, by: attribute.transformerName)
    }

    /// - Parameter values: one for each leaf.
    static func any(_ values: Slice<SlotValues>, of attribute: Attribute) -> Any? {
        guard attribute.type == .composite else { return values.first.flatMap { any($0, of: attribute) } }
        guard values.contains(where: { !$0.isNull }) else { return nil }
        var dictionary: [String: Any] = [:]
        var rest = values
        for element in attribute.elements {
            let own = rest.prefix(element.leaves.count)
            rest = rest.dropFirst(own.count)
            dictionary[element.name] = any(own, of: element)
        }
        return dictionary
    }
}

/// Objects of transformable attributes, archived.
enum KeyedArchives {
    /// - Returns: `nil` for an object that cannot be archived, or that contains one.
    static func data(_ any: Any) -> Data? {
        guard let object = Archivable.object(for: any) else { return nil }
        return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    }

    /// - Returns: `nil` for data other than an archive of plain values and collections of them; the reason is logged.
    static func object(_ data: Data) -> Any? {
        reading { () throws(ColumnArchiveError) in try ColumnArchive(data).object() }
    }

    /// A checked copy of an archive for Foundation's unarchiver, which does not check its input.
    /// - Returns: `nil` for data other than an archive; the reason is logged.
    static func rewritten(_ archive: Data) -> Data? {
        reading { () throws(ColumnArchiveError) in try ColumnArchive.rewritten(archive) } ?? nil
    }

    private static func reading<Result>(_ body: () throws(ColumnArchiveError) -> Result) -> Result? {
        do throws(ColumnArchiveError) {
            return try body()
        } catch {
            CoreDataLog.logger.error("The value of a transformable attribute reads as nil. \(error)")
            return nil
        }
    }
}
