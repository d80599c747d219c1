import Foundation

/// A sum of decimals that does not depend on their order, and from which decimals can be removed again: it is rounded once,
/// at the end.
///
/// A decimal has 38 digits. Numbers are split into parts of 18 digits at fixed places, so that the parts of up to 10^20
/// numbers are summed without rounding.
package struct DecimalSum: Sendable {
    /// The sum of the parts at the place of most numbers: multiples of 10^-6 below 10^12.
    private var middle: Decimal = 0
    /// The sums of the others: multiples of 10^(18p - 6) at the place p.
    private var others: [Int: Decimal] = [:]
    /// The number of terms that are no numbers.
    private var nanCount = 0

    private static let digits = 18
    private static let lowestExponent = -6
    private static let middleEnd = Decimal(sign: .plus, exponent: 12, significand: 1)

    package init() {}

    package mutating func add(_ decimal: Decimal) {
        if decimal.isNaN { nanCount += 1 } else { addParts(of: decimal) }
    }

    package mutating func remove(_ decimal: Decimal) {
        if decimal.isNaN { nanCount -= 1 } else { addParts(of: -decimal) }
    }

    /// The sum, rounded to a decimal; not a number if it exceeds one.
    package var total: Decimal {
        if nanCount > 0 { return .nan }
        if others.isEmpty { return middle }
        var sums = others
        sums[0] = middle
        var carry: Decimal = 0
        var parts: [Decimal] = []
        guard let first = sums.keys.min(), let last = sums.keys.max() else { return middle }
        for place in first...last {
            let sum = (sums[place] ?? 0) + carry
            carry = place < last ? Self.truncated(sum, above: place) : 0
            parts.append(sum - carry)
        }
        return parts.reversed().reduce(0, +)
    }

    private mutating func addParts(of decimal: Decimal) {
        if decimal.exponent >= Self.lowestExponent, decimal.magnitude < Self.middleEnd { return middle += decimal }
        var rest = decimal
        var place = Self.place(of: decimal.exponent)
        while rest != 0 {
            let upper = Self.truncated(rest, above: place)
            add(rest - upper, at: place)
            rest = upper
            place += 1
        }
    }

    private mutating func add(_ part: Decimal, at place: Int) {
        if place == 0 { return middle += part }
        let sum = (others[place] ?? 0) + part
        others[place] = sum == 0 ? nil : sum
    }

    /// The place of a part whose last digit has this exponent.
    private static func place(of exponent: Int) -> Int {
        let digit = exponent - lowestExponent
        return digit >= 0 ? digit / digits : (digit + 1) / digits - 1
    }

    /// Returns the digits above a place.
    private static func truncated(_ decimal: Decimal, above place: Int) -> Decimal {
        var magnitude = decimal.magnitude
        var result = Decimal()
        NSDecimalRound(&result, &magnitude, -(digits * (place + 1) + lowestExponent), .down)
        return decimal < 0 ? -result : result
    }
}
