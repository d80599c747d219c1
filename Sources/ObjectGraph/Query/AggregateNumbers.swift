import Foundation

/// The numbers that an aggregate is calculated with, and what its result is.
package enum AggregateNumbers: Sendable, Hashable, CaseIterable {
    /// Integers as long as all numbers are integers, otherwise reals.
    case reals
    /// Decimals. A real counts as the decimal that its shortest text denotes: 0.1 is one tenth.
    case decimals
}

extension Value {
    /// The value as a decimal, when it is a number that a decimal can hold.
    package var decimal: Decimal? {
        switch self {
        case .integer(let integer): Decimal(integer)
        case .real(let real): real.isFinite ? Decimal(string: real.description) : nil
        case .decimal(let decimal): decimal.isNaN ? nil : decimal
        default: nil
        }
    }
}
