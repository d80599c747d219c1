import Foundation

/// The JSON in leaves. Infinities and NaN, which JSON does not have, are texts, so that they are preserved.
enum StoredJSON {
    private static let infinity = "Infinity"
    private static let negativeInfinity = "-Infinity"
    private static let notANumber = "NaN"

    /// `nil` for a value that cannot be encoded.
    static func data<C: Encodable>(of value: C) -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
        return try? encoder.encode(value)
    }

    static func value<C: Decodable>(of type: C.Type, in json: Data) -> C? {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
        return try? decoder.decode(type, from: json)
    }
}
