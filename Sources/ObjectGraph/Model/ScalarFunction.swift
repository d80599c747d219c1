import Foundation

/// Functions of values, the same in memory and in a database, which is given this very code.
package enum ScalarFunction: Sendable, Hashable, CaseIterable {
    case power, squareRoot
    /// To base ten.
    case logarithm
    case naturalLogarithm, exponential
    case floor, ceiling, truncate, absolute
    /// Bits of 64-bit integers; of reals the whole part counts.
    case bitAnd, bitOr, bitXor, shiftLeft, shiftRight, complement
    case uppercase, lowercase
    /// Texts in a form in which those that differ in case, accents or both are the same (`TextFolding`).
    case foldCase, foldDiacritics, foldCaseAndDiacritics

    package var argumentCount: Int {
        switch self {
        case .power, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight: 2
        default: 1
        }
    }

    package enum Result: Sendable, Hashable {
        case real, integer, text
        /// An integer for an integer, else a real.
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

    /// `.null` where there is no result: for nil, for values of another kind, outside the function's range.
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
                // Only the least integer has no absolute value.
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
        // Swift's shifts take any distance, also backwards.
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
    /// The number without what is behind its point; `nil` for other values, and beyond 64 bits.
    fileprivate var wholePart: Int64? {
        if case .integer(let integer) = self { return integer }
        return number.flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }
}
