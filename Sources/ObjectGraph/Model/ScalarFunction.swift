import Foundation

/// Functions of values. The same code runs in memory and in a database, where it is registered.
package enum ScalarFunction: Sendable, Hashable, CaseIterable {
    case power, squareRoot
    /// The logarithm to base ten.
    case logarithm
    case naturalLogarithm, exponential
    case floor, ceiling, truncate, absolute
    /// Bit operations on 64-bit integers; of reals, the whole part is used.
    case bitAnd, bitOr, bitXor, shiftLeft, shiftRight, complement
    case uppercase, lowercase
    /// Text normalized so that texts that differ only in case, accents or both are equal (`TextFolding`).
    case foldCase, foldDiacritics, foldCaseAndDiacritics

    package var argumentCount: Int {
        switch self {
        case .power, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight: 2
        default: 1
        }
    }

    package enum Result: Sendable, Hashable {
        case real, integer, text
        /// An integer for an integer, otherwise a real.
        case sameNumber
    }

    package var result: Result {
        switch self {
        case .power, .squareRoot, .logarithm, .naturalLogarithm, .exponential: .real
        case .floor, .ceiling, .truncate, .absolute: .sameNumber
        case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight, .complement: .integer
        case .uppercase, .lowercase, .foldCase, .foldDiacritics, .foldCaseAndDiacritics: .text
        }
    }

    /// Returns `.null` if there is no result: for nil, for values of another type, and outside the function's domain.
    package func apply(_ arguments: [Value]) -> Value {
        guard arguments.count == argumentCount, let first = arguments.first, let last = arguments.last else {
            return .null
        }
        switch result {
        case .text:
            guard case .text(let text) = first else { return .null }
            return .text(transformed(text))
        case .integer:
            guard let left = first.wholePart, let right = last.wholePart else { return .null }
            return .integer(bits(left, right))
        case .sameNumber:
            if case .integer(let integer) = first {
                // Only the minimum integer has no absolute value.
                if self == .absolute { return integer == .min ? .null : .integer(abs(integer)) }
                return first
            }
            return first.number.map { .real(rounded($0)) } ?? .null
        case .real:
            guard let left = first.number, let right = last.number else { return .null }
            let real = calculated(left, right)
            return real.isNaN ? .null : .real(real)
        }
    }

    private func calculated(_ a: Double, _ b: Double) -> Double {
        switch self {
        case .power: pow(a, b)
        case .squareRoot: a.squareRoot()
        case .logarithm: a < 0 ? .nan : log10(a)
        case .naturalLogarithm: a < 0 ? .nan : log(a)
        case .exponential: exp(a)
        default: .nan
        }
    }

    private func rounded(_ real: Double) -> Double {
        switch self {
        case .floor: real.rounded(.down)
        case .ceiling: real.rounded(.up)
        case .truncate: real.rounded(.towardZero)
        default: abs(real)
        }
    }

    private func bits(_ a: Int64, _ b: Int64) -> Int64 {
        switch self {
        case .bitAnd: a & b
        case .bitOr: a | b
        case .bitXor: a ^ b
        // Swift's shifts accept any distance, including negative ones.
        case .shiftLeft: a << b
        case .shiftRight: a >> b
        default: ~a
        }
    }

    private func transformed(_ text: String) -> String {
        switch self {
        case .uppercase: text.uppercased()
        case .lowercase: text.lowercased()
        case .foldCase: TextFolding.case.apply(text)
        case .foldDiacritics: TextFolding.diacritics.apply(text)
        default: TextFolding.caseAndDiacritics.apply(text)
        }
    }
}

extension Value {
    /// The number without its fraction; `nil` for other values, and beyond 64 bits.
    fileprivate var wholePart: Int64? {
        if case .integer(let integer) = self { return integer }
        return number.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }
}
