import Foundation
import ObjectGraph

/// How the result of an aggregate is decoded.
struct AggregateColumn {
    let term: AggregateTerm
    /// The codec of the property, for results that are one of its values; `nil` for identifiers.
    let codec: (any AttributeCodec)?

    func decoded(_ value: Value) -> Any? {
        switch (term.function.parts.function, value) {
        case (_, .null): nil
        case (.count, .integer(let count)): Int(count)
        case (.minimum, _), (.maximum, _): codec.flatMap { $0.decodedAny([value]) }
        case (.sum, .integer(let sum)) where isOfIntegers: Int(sum)
        case (_, .decimal(let decimal)): decimal
        case (_, .integer(let integer)): Double(integer)
        case (_, .real(let real)): real
        default: nil
        }
    }

    /// The codec for values that the result is compared with; `nil` for the standard one of their type.
    var comparedCodec: (any AttributeCodec)? { term.function.parts.function == .count ? nil : codec }

    private var isOfIntegers: Bool { codec?.unwrapped.valueType is any BinaryInteger.Type }
}

extension AttributeCodec {
    /// Returns the value, unwrapped; `nil` for nil, and for slots that do not represent a value of the type.
    func decodedAny(_ values: SlotValues) -> Any? {
        if values.allSatisfy(\.isNull) { return nil }
        let codec = unwrapped
        func open<V>(_ type: V.Type) -> Any? { codec.decoded(values[...], as: type) }
        return _openExistential(codec.valueType, do: open)
    }
}
