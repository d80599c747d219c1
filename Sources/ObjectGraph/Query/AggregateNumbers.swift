import Foundation

/// The arithmetic of an aggregate, which determines the type of its result.
package enum AggregateNumbers: Sendable, Hashable, CaseIterable {
    /// Integers if all numbers are integers, otherwise reals.
    case reals
    /// Decimals. A real is converted by its shortest text, so 0.1 is one tenth.
    case decimals
}

extension Value {
    /// The value as a decimal; `nil` unless it is a number that a decimal can represent.
    package var decimal: Decimal? {
        switch self {
        case .integer(let integer): Decimal(integer)
        case .real(let real): Decimal(shortestDigitsOf: real)
        case .decimal(let decimal): decimal.isNaN ? nil : decimal
        default: nil
        }
    }
}
