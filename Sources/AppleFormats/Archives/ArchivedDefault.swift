import Foundation
import ObjectGraph

/// Decodes default values of an archived model. Leaves out those of unsupported classes.
enum ArchivedDefault {
    /// Returns one value per leaf; `nil` without a default.
    static func values(of object: ArchivedObject, for attribute: Attribute) -> [Value]? {
        guard attribute.type == .composite else {
            return value(object.fields["NSDefaultValue"], attribute.type, object.archive).map { [$0] }
        }
        let entries = object.entries("NSDefaultValue")
        guard !entries.isEmpty else { return nil }
        return attribute.leaves.map { leaf in
            let entry = entries.first { object.archive.string($0.key) == leaf.name }
            return value(entry?.value, leaf.type, object.archive) ?? .null
        }
    }

    private static func value(
        _ reference: PropertyList?, _ type: AttributeType, _ archive: KeyedArchive
    ) -> Value? {
        switch type {
        case .integer16, .integer32, .integer64:
            archive.resolve(reference)?.integerValue.map(Value.integer)
        case .boolean:
            archive.resolve(reference)?.integerValue.map { .integer($0 == 0 ? 0 : 1) }
        case .double, .float:
            real(archive.resolve(reference)).map(Value.real)
        case .date:
            date(reference, archive).map(Value.real)
        case .decimal:
            decimal(reference, archive).map(Value.decimal)
        case .string:
            archive.string(reference).map(Value.text)
        case .uri:
            archive.object(reference)?.string("NS.relative").map(Value.text)
        case .uuid:
            archive.object(reference)?.value("NS.uuidbytes")?.dataValue.flatMap { UUID(rawBytes: $0) }.map(Value.uuid)
        case .binary:
            data(reference, archive).map(Value.bytes)
        case .transformable, .composite:
            nil
        }
    }

    private static func real(_ value: PropertyList?) -> Double? {
        switch value {
        case .real(let number): number
        default: value?.integerValue.map(Double.init)
        }
    }

    private static func date(_ reference: PropertyList?, _ archive: KeyedArchive) -> Double? {
        if case .date(let seconds) = archive.resolve(reference) { return seconds }
        return real(archive.object(reference)?.value("NS.time"))
    }

    private static func data(_ reference: PropertyList?, _ archive: KeyedArchive) -> Data? {
        archive.resolve(reference)?.dataValue ?? archive.object(reference)?.value("NS.data")?.dataValue
    }

    /// Decodes a number object or an archived decimal.
    private static func decimal(_ reference: PropertyList?, _ archive: KeyedArchive) -> Decimal? {
        if let number = archive.resolve(reference)?.integerValue { return Decimal(number) }
        if case .real(let number) = archive.resolve(reference) { return Decimal(string: number.description) }
        return archive.object(reference).flatMap(decimal)
    }

    /// Decodes an `NSDecimalNumber`: up to sixteen bytes of mantissa, with their byte order in another field.
    static func decimal(_ object: ArchivedObject) -> Decimal? {
        guard let mantissa = object.value("NS.mantissa")?.dataValue,
            let exponent = object.integer("NS.exponent").flatMap({ Int(exactly: $0) }), abs(exponent) <= 127
        else { return nil }
        return decimal(
            mantissa: Array(mantissa.prefix(16)), isLittleEndian: object.integer("NS.mantissa.bo") ?? 1 == 1,
            exponent: exponent, sign: object.flag("NS.negative") ? .minus : .plus)
    }

    /// The mantissa is an array of sixteen-bit words, least significant first.
    private static func decimal(
        mantissa: [UInt8], isLittleEndian: Bool, exponent: Int, sign: FloatingPointSign
    ) -> Decimal {
        var number = Decimal(0)
        for start in stride(from: mantissa.count - mantissa.count % 2 - 2, through: 0, by: -2) {
            let (low, high) = isLittleEndian ? (start, start + 1) : (start + 1, start)
            number = number * 65536 + Decimal(Int(mantissa[high]) << 8 | Int(mantissa[low]))
        }
        return Decimal(sign: sign, exponent: exponent, significand: number)
    }
}
