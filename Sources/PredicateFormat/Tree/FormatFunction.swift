import ObjectGraph

/// The functions of the predicate language, by their names in `NSExpression(forFunction:arguments:)`.
package enum FormatFunction: String, Hashable, CaseIterable {
    // Of a collection
    case sum = "sum:"
    case count = "count:"
    case minimum = "min:"
    case maximum = "max:"
    case average = "average:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"
    // Arithmetic
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case power = "raise:toPower:"
    case squareRoot = "sqrt:"
    case logarithm = "log:"
    case naturalLogarithm = "ln:"
    case exponential = "exp:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case absolute = "abs:"
    case truncate = "trunc:"
    case bitAnd = "bitwiseAnd:with:"
    case bitOr = "bitwiseOr:with:"
    case bitXor = "bitwiseXor:with:"
    case shiftLeft = "leftshift:by:"
    case shiftRight = "rightshift:by:"
    case complement = "onesComplement:"
    // Texts
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case canonical = "canonical:"
    case length = "length:"
    // Others
    case now
    case random
    case randomBelow = "randomn:"
    case noIndex = "noindex:"
    case distance = "distanceToLocation:fromLocation:"
    case elementAt = "objectFrom:withIndex:"

    /// Finds a function by its name with colons or, as in `sum(a)`, without the last one. Case is ignored.
    package init?(name: String) {
        let lowered = name.lowercased()
        guard let found = Self.byName[lowered] ?? Self.byName[lowered + ":"] else { return nil }
        self = found
    }

    /// Finds the function of a key path operator, named without its `@`; `nil` for operators whose result is a collection.
    package init?(collectionOperator name: some StringProtocol) {
        switch name {
        case "count": self = .count
        case "sum": self = .sum
        case "avg": self = .average
        case "min": self = .minimum
        case "max": self = .maximum
        default: return nil
        }
    }

    private static let byName = Dictionary(
        allCases.map { ($0.rawValue.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })

    /// The number of arguments; `nil` if any number is allowed.
    package var arity: Int? {
        switch self {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: nil
        default: rawValue.utf8.count { $0 == UInt8(ascii: ":") }
        }
    }

    /// The infix operator, if there is one.
    package var sign: String? {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .power: "**"
        default: nil
        }
    }

    /// The precedence of the infix operator.
    package var signPrecedence: Int {
        switch self {
        case .add, .subtract: 1
        case .multiply, .divide: 2
        default: 3
        }
    }
}
