import Foundation

/// A sum and a count of values that are added and removed one by one. All numbers are summed without rounding,
/// so that a removed value leaves nothing behind.
struct RunningTotal {
    private let numbers: AggregateNumbers
    /// Values that are not nil, numbers among them, and reals among these.
    private(set) var valueCount = 0
    private var numberCount = 0
    private var realCount = 0
    private var whole: Int128 = 0
    /// All numbers as reals.
    private var reals = RealSum()
    private var (positiveInfinities, negativeInfinities) = (0, 0)
    private var decimals = DecimalSum()

    init(_ numbers: AggregateNumbers) { self.numbers = numbers }

    enum Sign: Int {
        case addition = 1
        case removal = -1
    }

    mutating func note(_ value: Value, _ sign: Sign) {
        if value.isNil { return }
        valueCount += sign.rawValue
        switch numbers {
        case .decimals:
            guard let decimal = value.decimal else { return }
            numberCount += sign.rawValue
            if sign == .addition { decimals.add(decimal) } else { decimals.remove(decimal) }
        case .reals:
            guard let number = value.number else { return }
            numberCount += sign.rawValue
            note(number, sign)
            if case .integer(let integer) = value {
                whole += Int128(integer) * Int128(sign.rawValue)
            } else {
                realCount += sign.rawValue
            }
        }
    }

    private mutating func note(_ real: Double, _ sign: Sign) {
        if real.isFinite { return reals.add(sign == .addition ? real : -real) }
        if real > 0 { positiveInfinities += sign.rawValue } else { negativeInfinities += sign.rawValue }
    }

    /// - Parameter function: `count`, `sum` or `average`.
    func result(of function: AggregateFunction) -> Value {
        if function == .count { return .integer(Int64(valueCount)) }
        if function == .average, numberCount == 0 { return .null }
        let divisor = function == .average ? numberCount : 1
        switch numbers {
        case .decimals:
            let result = decimals.total / Decimal(divisor)
            return result.isNaN ? .null : .decimal(result)
        case .reals where realCount > 0 || function == .average: return real(total / Double(divisor))
        case .reals: return Int64(exactly: whole).map(Value.integer) ?? .null
        }
    }

    private func real(_ real: Double) -> Value { real.isNaN ? .null : .real(real) }

    private var total: Double {
        if positiveInfinities > 0 { return negativeInfinities > 0 ? .nan : .infinity }
        return negativeInfinities > 0 ? -.infinity : reals.total
    }
}
