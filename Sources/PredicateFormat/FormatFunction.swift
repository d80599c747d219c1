import ObjectGraph

/// The functions of the predicate language, by the names `NSExpression(forFunction:arguments:)` knows them by.
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

    /// By the name with its colons, or, as in `sum(a)`, without its last one. Case is ignored.
    package init?(name: String) {
        let lowered = name.lowercased()
        guard let found = Self.byName[lowered] ?? Self.byName[lowered + ":"] else { return nil }
        self = found
    }

    /// By the name of an operator in a key path, without its `@`; `nil` for operators that give a collection.
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

    /// How many arguments it takes; `nil` when any number will do.
    package var arity: Int? {
        switch self {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: nil
        default: rawValue.utf8.count { $0 == UInt8(ascii: ":") }
        }
    }

    /// The sign between two operands, where there is one.
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

    /// How tightly the sign binds.
    package var signPrecedence: Int {
        switch self {
        case .add, .subtract: 1
        case .multiply, .divide: 2
        default: 3
        }
    }
}
