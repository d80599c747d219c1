import ObjectGraph

/// Names of the functions, collations and tables that `Connection` adds to SQLite.
enum SQLNames {
    /// Table function over a `ValueList`: `SELECT value FROM OSDValues(?)`.
    static let values = "OSDValues"
    static let valueColumn = "value"
    /// Table function over a `RowFeed`: `SELECT c0, c1 FROM OSDFeed(?)`.
    static let feed = "OSDFeed"
    static let feedColumnCount = 200
    static func feedColumn(_ index: Int) -> String { "c\(index)" }
    /// `f(key filter, key)`, 1 or 0.
    static let hasKey = "OSDHasKey"
    /// The keys of a bound `ValueList`.
    static let listedValues = "(SELECT \(valueColumn) FROM \(values)(?))"
    /// The number of characters of a text, as Swift counts them.
    static let textLength = "OSDTextLength"

    /// `f(value)` over rows.
    static func function(of function: AggregateFunction) -> String {
        switch function {
        case .minimum: "min"
        case .maximum: "max"
        case .count, .distinctCount: "count"
        // NULL instead of an error if integers overflow; 0 without values.
        case .sum, .distinctSum: "OSDSum"
        case .average, .distinctAverage: "OSDAverage"
        case .median: "OSDMedian"
        case .deviation: "OSDDeviation"
        }
    }

    /// `f(value)` over rows.
    /// - Parameter numbers: The arithmetic of sums, averages, medians and deviations.
    static func function(of function: AggregateFunction, with numbers: AggregateNumbers) -> String {
        let name = self.function(of: function)
        return function.isCalculated && numbers == .decimals ? name.replacing("OSD", with: "OSDDecimal") : name
    }

    /// `f(text, other)`, 1 or 0.
    static func function(of test: TextTest) -> String {
        switch test {
        case .contains: "OSDContains"
        case .beginsWith: "OSDBeginsWith"
        case .endsWith: "OSDEndsWith"
        case .containsLocalizedStandard: "OSDContainsLocalizedStandard"
        case .matches: "OSDMatches"
        case .like: "OSDLike"
        case .matchesPattern: "OSDMatchesPattern"
        case .matchesPatternIgnoringCase: "OSDMatchesPatternIgnoringCase"
        case .conformsToType: "OSDConformsToType"
        case .equalsType: "OSDEqualsType"
        }
    }

    /// `f(text, other)`, -1, 0 or 1.
    static func function(of order: TextOrder) -> String {
        switch order {
        case .binary: "OSDOrderBinary"
        case .caseInsensitive: "OSDOrderCaseInsensitive"
        case .localized: "OSDOrderLocalized"
        case .localizedStandard: "OSDOrderLocalizedStandard"
        case .localizedCaseInsensitive: "OSDOrderLocalizedCaseInsensitive"
        }
    }

    static func collation(of order: TextOrder) -> String {
        switch order {
        case .binary: "BINARY"
        case .caseInsensitive: "OSDCaseInsensitive"
        case .localized: "OSDLocalized"
        case .localizedStandard: "OSDLocalizedStandard"
        case .localizedCaseInsensitive: "OSDLocalizedCaseInsensitive"
        }
    }

    /// `f(a, b)`, NULL if the result overflows 64 bits.
    static func function(of operation: ArithmeticOperator) -> String {
        switch operation {
        case .add: "OSDAdd"
        case .subtract: "OSDSubtract"
        case .multiply: "OSDMultiply"
        case .divide: "OSDDivide"
        case .remainder: "OSDRemainder"
        }
    }

    /// A function with its arguments; NULL if it has no result.
    static func function(of function: ScalarFunction) -> String {
        switch function {
        case .power: "OSDPower"
        case .squareRoot: "OSDSquareRoot"
        case .logarithm: "OSDLogarithm"
        case .naturalLogarithm: "OSDNaturalLogarithm"
        case .exponential: "OSDExponential"
        case .floor: "OSDFloor"
        case .ceiling: "OSDCeiling"
        case .truncate: "OSDTruncate"
        case .absolute: "OSDAbsolute"
        case .bitAnd: "OSDBitAnd"
        case .bitOr: "OSDBitOr"
        case .bitXor: "OSDBitXor"
        case .shiftLeft: "OSDShiftLeft"
        case .shiftRight: "OSDShiftRight"
        case .complement: "OSDComplement"
        case .uppercase: "OSDUppercase"
        case .lowercase: "OSDLowercase"
        case .foldCase: "OSDFoldCase"
        case .foldDiacritics: "OSDFoldDiacritics"
        case .foldCaseAndDiacritics: "OSDFoldCaseAndDiacritics"
        }
    }
}
