/// A function that reduces many values to one. Nil values are ignored.
package enum AggregateFunction: Sendable, Hashable, CaseIterable {
    /// Nil without values.
    case minimum, maximum
    /// The sum of numbers; 0 without values, nil if integers overflow 64 bits.
    case sum
    /// The average of numbers; nil without values.
    case average
    /// The number of values.
    case count
    /// The middle one of the sorted numbers, or the average of the middle two; nil without values.
    case median
    /// The standard deviation of the numbers as a whole population; nil without values.
    case deviation
    /// The same for distinct values.
    case distinctSum, distinctAverage, distinctCount

    /// The function, and whether it uses only distinct values.
    package var parts: (function: AggregateFunction, isDistinct: Bool) {
        switch self {
        case .distinctSum: (.sum, true)
        case .distinctAverage: (.average, true)
        case .distinctCount: (.count, true)
        default: (self, false)
        }
    }

    /// Whether `AggregateCalculation` computes it from numbers.
    package var isCalculated: Bool {
        switch parts.function {
        case .minimum, .maximum, .count: false
        default: true
        }
    }

    /// The function for distinct values; `nil` if there is none.
    package var distinct: AggregateFunction? {
        switch self {
        // Duplicates do not affect the result.
        case .minimum, .maximum: self
        case .sum, .distinctSum: .distinctSum
        case .average, .distinctAverage: .distinctAverage
        case .count, .distinctCount: .distinctCount
        case .median, .deviation: nil
        }
    }

    /// Returns the result for these values, which does not depend on their order.
    /// - Parameter numbers: The arithmetic of sums, averages, medians and deviations.
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
