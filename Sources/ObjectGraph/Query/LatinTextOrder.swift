import Foundation

/// The standard localized order of texts in Latin letters, by a table: about a hundred times faster than Foundation's
/// comparison, with equal results. Foundation compares all other texts.
///
/// Letters are compared without case and accents, and sequences of digits as numbers. Ties are resolved by case here,
/// by accents in Foundation.
struct LatinTextOrder: Sendable {
    /// For the locale of the process; `nil` if its language has its own order of Latin letters.
    static let current = LatinTextOrder(Locale.current)

    /// Ranks by character; 0 for characters that are not in the table.
    private var places = [UInt8](repeating: 0, count: 0x250)

    /// Languages for which the table was found to agree with Foundation. Others have their own order of accented
    /// letters, or of pairs of letters.
    private static let languages: Set<String> = ["en", "de", "fr", "it", "pt", "nl", "id", "ja", "ko", "ru", "zh"]

    init?(_ locale: Locale) {
        guard let language = locale.language.languageCode?.identifier, Self.languages.contains(language),
            locale.variant == nil, locale.collation.identifier == "standard"
        else { return nil }
        var place: UInt8 = 0
        func give(_ scalars: UnicodeScalar...) {
            place += 1
            for scalar in scalars { places[Int(scalar.value)] = place }
        }
        for scalar in " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789".unicodeScalars { give(scalar) }
        for letter in UInt8(ascii: "a")...UInt8(ascii: "z") { give(UnicodeScalar(letter), UnicodeScalar(letter - 32)) }
        addAccented()
    }

    /// Gives accented ASCII letters the rank of the letter without accents.
    private mutating func addAccented() {
        for value in UInt32(0xC0)..<0x250 {
            guard let scalar = UnicodeScalar(value) else { continue }
            let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            guard parts.count > 1, let base = parts.first, base.isASCII, base.properties.isAlphabetic else { continue }
            places[Int(value)] = places[Int(base.value)]
        }
    }

    /// Returns -1, 0 or 1; `nil` if the table lacks a character, or if accents must resolve a tie.
    /// - Parameters: The texts as UTF-8.
    func order(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int? {
        var (left, right) = (Reader(text: a), Reader(text: b))
        while !left.isAtEnd, !right.isAtEnd {
            if left.isAtDigit, right.isAtDigit {
                let order = left.compareNumber(with: &right)
                if order != 0 { return order }
            } else {
                guard let one = left.nextPlace(places), let other = right.nextPlace(places) else { return nil }
                if one != other { return one < other ? -1 : 1 }
            }
        }
        // The next character may belong to the last letter, as a combining accent does.
        if !left.isAtEnd { return left.nextPlace(places).map { _ in 1 } }
        if !right.isAtEnd { return right.nextPlace(places).map { _ in -1 } }
        return left.isASCII && right.isASCII ? Self.orderByCase(a, b) : nil
    }

    /// Compares by case, lower case first, then by bytes.
    private static func orderByCase(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
        for (left, right) in zip(a, b) where left != right {
            if isLowercase(left) != isLowercase(right) { return isLowercase(left) ? -1 : 1 }
        }
        return TextMatching.byteOrder(a, b)
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
}

/// Reads the characters of a text.
private struct Reader {
    let text: UnsafeBufferPointer<UInt8>
    private var position = 0
    private(set) var isASCII = true

    init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    var isAtEnd: Bool { position == text.count }
    var isAtDigit: Bool { !isAtEnd && text[position] >= 0x30 && text[position] <= 0x39 }

    /// - Returns: `nil` for a character without a rank.
    mutating func nextPlace(_ places: [UInt8]) -> UInt8? {
        let byte = text[position]
        position += 1
        guard byte >= 0x80 else { return Self.known(places[Int(byte)]) }
        isASCII = false
        // Two bytes; the table ends before the first character of three bytes.
        guard byte >= 0xC2, byte < 0xE0, !isAtEnd else { return nil }
        let value = Int(byte & 0x1F) << 6 | Int(text[position] & 0x3F)
        position += 1
        return value < places.count ? Self.known(places[value]) : nil
    }

    private static func known(_ place: UInt8) -> UInt8? { place == 0 ? nil : place }

    /// Compares sequences of digits of any length by value, and skips them.
    mutating func compareNumber(with other: inout Reader) -> Int {
        skipZeros()
        other.skipZeros()
        var order = 0
        while isAtDigit, other.isAtDigit {
            if order == 0, text[position] != other.text[other.position] {
                order = text[position] < other.text[other.position] ? -1 : 1
            }
            position += 1
            other.position += 1
        }
        // The number with more digits is greater.
        return isAtDigit ? 1 : other.isAtDigit ? -1 : order
    }

    private mutating func skipZeros() {
        while !isAtEnd, text[position] == 0x30 { position += 1 }
    }
}
