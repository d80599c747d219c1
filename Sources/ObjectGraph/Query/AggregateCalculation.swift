import Foundation

/// Accumulates numbers for aggregates that are computed from all of them. Used both for results in memory and by the
/// database functions.
package struct AggregateCalculation: Sendable {
    private let function: AggregateFunction
    private var count = 0
    /// The sum of decimals; `nil` when calculating with reals.
    private var decimalSum: DecimalSum?
    /// The sum as long as all numbers are integers. Only the result must fit into 64 bits.
    private var wholeSum: Int128 = 0
    private var hasReal = false
    private var sum = RealSum()
    /// The numbers, if the function needs them again.
    private var numbers: [Double] = []

    package init(_ function: AggregateFunction, with numbers: AggregateNumbers) {
        self.function = function
        decimalSum = numbers == .decimals ? DecimalSum() : nil
    }

    static func result(of function: AggregateFunction, with numbers: AggregateNumbers, _ values: [Value]) -> Value {
        var calculation = AggregateCalculation(function, with: numbers)
        for value in values { calculation.add(value) }
        return calculation.result
    }

    /// Adds a number; ignores other values.
    package mutating func add(_ value: Value) {
        if decimalSum != nil {
            if let decimal = value.decimal { add(decimal, value.number ?? 0) }
            return
        }
        if case .integer(let integer) = value { return add(integer) }
        if let real = value.number { add(real) }
    }

    package mutating func add(_ integer: Int64) {
        if decimalSum != nil { return add(Decimal(integer), Double(integer)) }
        wholeSum += Int128(integer)
        take(Double(integer))
    }

    package mutating func add(_ real: Double) {
        if real.isNaN { return }
        if decimalSum != nil { return add(Value.real(real)) }
        hasReal = true
        take(real)
    }

    private mutating func add(_ decimal: Decimal, _ real: Double) {
        decimalSum?.add(decimal)
        take(real)
    }

    private mutating func take(_ number: Double) {
        count += 1
        sum.add(number)
        if function == .median || function == .deviation { numbers.append(number) }
    }

    /// `.null` for functions that need no calculation.
    package var result: Value {
        if let decimalSum { return decimalResult(decimalSum.total) }
        return switch function.parts.function {
        case .sum: hasReal ? Self.real(sum.total) : Int64(exactly: wholeSum).map(Value.integer) ?? .null
        case .average: count == 0 ? .null : Self.real(sum.total / Double(count))
        case .median: median
        case .deviation: deviation
        default: .null
        }
    }

    /// Median and deviation are calculated with reals and converted.
    private func decimalResult(_ sum: Decimal) -> Value {
        let result: Decimal? =
            switch function.parts.function {
            case .sum: sum
            case .average: count == 0 ? nil : sum / Decimal(count)
            case .median: median.decimal
            case .deviation: deviation.decimal
            default: nil
            }
        return result.flatMap { $0.isNaN ? nil : .decimal($0) } ?? .null
    }

    private var median: Value {
        let sorted = numbers.sorted()
        guard let upper = sorted.dropFirst(sorted.count / 2).first else { return .null }
        if sorted.count % 2 == 1 { return Self.real(upper) }
        return Self.real((sorted[sorted.count / 2 - 1] + upper) / 2)
    }

    private var deviation: Value {
        guard count > 0 else { return .null }
        let mean = sum.total / Double(count)
        var squares = RealSum()
        for number in numbers { squares.add((number - mean) * (number - mean)) }
        return Self.real((squares.total / Double(count)).squareRoot())
    }

    private static func real(_ real: Double) -> Value { real.isNaN ? .null : .real(real) }
}
