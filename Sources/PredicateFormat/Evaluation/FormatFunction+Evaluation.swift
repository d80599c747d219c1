import Foundation
import ObjectGraph

/// Evaluates functions of given values.
extension FormatFunction {
    /// Returns `.null` if there is no result.
    func apply(_ arguments: [FormatConstant]) -> FormatConstant {
        if let arity, arity != arguments.count { return .null }
        switch self {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation:
            return collected(Self.members(arguments))
        case .add, .subtract, .multiply, .divide, .modulus: return calculated(arguments)
        case .now: return .date(Date().timeIntervalSinceReferenceDate)
        case .random: return .real(Double.random(in: 0..<1))
        case .randomBelow:
            guard case .integer(let bound)? = arguments.first, bound > 0 else { return .null }
            return .integer(Int64.random(in: 0..<bound))
        case .noIndex: return arguments.first ?? .null
        case .length:
            guard case .text(let text)? = arguments.first?.storedValue else { return .null }
            return .integer(Int64(TextMatching.length(text)))
        case .elementAt:
            guard arguments.count == 2, case .list(let members) = arguments[0], case .integer(let index) = arguments[1]
            else { return .null }
            return Int(exactly: index).flatMap { members.indices.contains($0) ? members[$0] : nil } ?? .null
        case .distance: return .null
        default:
            guard let scalar else { return .null }
            return FormatConstant(stored: scalar.apply(arguments.map { $0.storedValue ?? .null }))
        }
    }

    /// The engine's function with the same meaning.
    var scalar: ScalarFunction? {
        switch self {
        case .power: .power
        case .squareRoot: .squareRoot
        case .logarithm: .logarithm
        case .naturalLogarithm: .naturalLogarithm
        case .exponential: .exponential
        case .floor: .floor
        case .ceiling: .ceiling
        case .absolute: .absolute
        case .truncate: .truncate
        case .bitAnd: .bitAnd
        case .bitOr: .bitOr
        case .bitXor: .bitXor
        case .shiftLeft: .shiftLeft
        case .shiftRight: .shiftRight
        case .complement: .complement
        case .uppercase: .uppercase
        case .lowercase: .lowercase
        case .canonical: .foldCaseAndDiacritics
        default: nil
        }
    }

    /// The engine's aggregate function with the same meaning.
    package var aggregate: AggregateFunction? {
        switch self {
        case .sum: .sum
        case .count: .count
        case .minimum: .minimum
        case .maximum: .maximum
        case .average: .average
        case .median: .median
        case .standardDeviation: .deviation
        default: nil
        }
    }

    /// The engine's operator with the same meaning.
    var arithmetic: ArithmeticOperator? {
        switch self {
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .modulus: .remainder
        default: nil
        }
    }

    /// Calculates with dates, too: a date and a number give a date, two dates a number of seconds.
    private func calculated(_ arguments: [FormatConstant]) -> FormatConstant {
        guard let arithmetic, arguments.count == 2, let left = arguments[0].storedValue,
            let right = arguments[1].storedValue
        else { return .null }
        let result = Arithmetic.apply(arithmetic, left, right)
        let isDate = Self.givesDate(self, arguments[0].type, arguments[1].type)
        return isDate ? FormatConstant(stored: result).coerced(to: .date) ?? .null : FormatConstant(stored: result)
    }

    /// Whether adding or subtracting values of these types gives a date.
    static func givesDate(_ function: FormatFunction, _ left: FormatType?, _ right: FormatType?) -> Bool {
        switch (function, left == .date, right == .date) {
        case (.add, true, false), (.add, false, true), (.subtract, true, false): true
        default: false
        }
    }

    // MARK: Collections

    /// Returns the members of a single list, otherwise the arguments themselves.
    private static func members(_ arguments: [FormatConstant]) -> [FormatConstant] {
        if arguments.count == 1, let members = arguments.first?.members { return members }
        return arguments
    }

    private func collected(_ members: [FormatConstant]) -> FormatConstant {
        let values = members.map { $0.storedValue ?? .null }
        switch self {
        case .count: return .integer(Int64(members.count))
        case .minimum: return Self.extreme(members) { $0 < 0 }
        case .maximum: return Self.extreme(members) { $0 > 0 }
        case .mode: return .list(Self.mode(members))
        default:
            return aggregate.map { FormatConstant(stored: $0.apply(values, with: Self.numbers(in: values))) } ?? .null
        }
    }

    /// Uses decimals if there are some and no reals; otherwise reals.
    private static func numbers(in values: [Value]) -> AggregateNumbers {
        var numbers = AggregateNumbers.reals
        for value in values {
            switch value {
            case .real: return .reals
            case .decimal: numbers = .decimals
            default: continue
            }
        }
        return numbers
    }

    /// Returns the first member that precedes, or follows, all others.
    private static func extreme(_ members: [FormatConstant], _ isBetter: (Int) -> Bool) -> FormatConstant {
        var best: (constant: FormatConstant, value: Value)?
        for member in members {
            guard let value = member.storedValue, !value.isNil else { continue }
            if best.map({ isBetter(ValueOrder.compare(value, $0.value)) }) ?? true { best = (member, value) }
        }
        return best?.constant ?? .null
    }

    /// Returns every member with the highest frequency, once.
    private static func mode(_ members: [FormatConstant]) -> [FormatConstant] {
        var counts: [FormatConstant.SetKey: Int] = [:]
        for member in members { counts[member.setKey, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return members.distinct.filter { counts[$0.setKey] == most }
    }
}

extension FormatConstant {
    /// Converts a stored value without a type of its own.
    init(stored value: Value) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .text(let text): self = .text(text)
        case .bytes(let data): self = .bytes(data)
        case .uuid(let uuid): self = .uuid(uuid)
        case .decimal(let decimal): self = .decimal(decimal)
        case .reference(let id): self = .reference(id)
        }
    }
}
