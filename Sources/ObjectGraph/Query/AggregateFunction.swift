/// What many values come to. Nil is left out.
package enum AggregateFunction: Sendable, Hashable, CaseIterable {
    /// Nil for nothing.
    case minimum, maximum
    /// Of numbers; 0 for nothing, nil where 64 bits do not suffice for integers.
    case sum
    /// Of numbers; nil for nothing.
    case average
    /// How many there are.
    case count
    /// The one in the middle of the numbers, or the average of the two; nil for nothing.
    case median
    /// How far numbers are from their average, as of a whole population; nil for nothing.
    case deviation
    /// The same with equal values taken once.
    case distinctSum, distinctAverage, distinctCount

    /// The function, and whether it takes equal values once.
    package var parts: (function: AggregateFunction, isDistinct: Bool) {
        switch self {
        case .distinctSum: (.sum, true)
        case .distinctAverage: (.average, true)
        case .distinctCount: (.count, true)
        default: (self, false)
        }
    }

    /// Whether it is calculated from numbers, by `AggregateCalculation`.
    package var isCalculated: Bool {
        switch parts.function {
        case .minimum, .maximum, .count: false
        default: true
        }
    }

    /// The function that takes equal values once; `nil` where there is none.
    package var distinct: AggregateFunction? {
        switch self {
        // Which of them is taken makes no difference.
        case .minimum, .maximum: self
        case .sum, .distinctSum: .distinctSum
        case .average, .distinctAverage: .distinctAverage
        case .count, .distinctCount: .distinctCount
        case .median, .deviation: nil
        }
    }

    /// The result for these values, which does not depend on their order.
    /// - Parameter numbers: the arithmetic of sums, averages, medians and deviations.
    package func apply(_ values: [Value], with numbers: AggregateNumbers = .reals) -> Value {
        let values = values.filter { !$0.isNil }
        let (function, isDistinct) = parts
        if isDistinct {
            var known: Set<ValueKey> = []
            return function.apply(values.filter { known.insert(ValueKey($0)).inserted }, with: numbers)
        }
        return switch function {
        case .minimum: values.min { ValueOrder.compare($0, $1) < 0 } ?? .null
        case .maximum: values.max { ValueOrder.compare($0, $1) < 0 } ?? .null
        case .count: .integer(Int64(values.count))
        default: AggregateCalculation.result(of: function, with: numbers, values)
        }
    }
}
