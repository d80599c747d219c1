import Foundation
import ObjectGraph

/// A predicate or an expression as a text and the values of its placeholders, from which an equal one can be parsed.
///
/// The description for users is not sufficient for that: a whole real looks like an integer in it, and an infinite number
/// or a key such as `first-name` reads as something else.
package struct ArchivedFormat {
    package let text: String
    package let arguments: [Argument]

    /// The value of a placeholder.
    package enum Argument {
        case keyPath(String)
        case real(Double)
        case decimal(Decimal)
        /// Seconds since 2001-01-01 UTC.
        case date(Double)
    }

    package init(text: String, arguments: [Argument]) {
        self.text = text
        self.arguments = arguments
    }

    /// - Returns: `nil` for a predicate that contains code or an object of the program, or that has no text form.
    package init?(_ predicate: FormatPredicate) {
        guard !predicate.hasCode else { return nil }
        self.init(written: predicate)
        guard let read = self.predicate, isSame(as: ArchivedFormat(written: read)) else { return nil }
    }

    /// - Returns: `nil` for an expression that contains code or an object of the program, or that has no text form.
    package init?(_ expression: FormatExpression) {
        guard !expression.hasCode else { return nil }
        self.init(written: expression)
        guard let read = self.expression, isSame(as: ArchivedFormat(written: read)) else { return nil }
    }

    private init(written predicate: FormatPredicate) {
        var printer = FormatPrinter(.archive)
        printer.print(predicate)
        self.init(text: printer.text, arguments: printer.arguments)
    }

    private init(written expression: FormatExpression) {
        var printer = FormatPrinter(.archive)
        printer.print(expression)
        self.init(text: printer.text, arguments: printer.arguments)
    }

    /// Compares texts, because NaN differs from itself.
    private func isSame(as other: ArchivedFormat) -> Bool {
        text == other.text && arguments.map(\.text) == other.arguments.map(\.text)
    }

    // MARK: Reading

    /// The parsed predicate; `nil` for a text that is not a predicate.
    package var predicate: FormatPredicate? {
        try? PredicateFormat(parsing: text, arguments: arguments.map(\.formatArgument)).predicate
    }

    /// The parsed expression; `nil` for a text that is not an expression.
    package var expression: FormatExpression? {
        try? ExpressionFormat(parsing: text, arguments: arguments.map(\.formatArgument)).expression
    }
}

extension ArchivedFormat.Argument {
    fileprivate var formatArgument: FormatArgument {
        switch self {
        case .keyPath(let path): .constant(.text(path))
        case .real(let real): .constant(.real(real))
        case .decimal(let decimal): .constant(.decimal(decimal))
        case .date(let seconds): .constant(.date(seconds))
        }
    }

    var placeholder: String {
        if case .keyPath = self { "%K" } else { "%@" }
    }
}

/// Encodes each argument as one text with its kind as the prefix.
extension ArchivedFormat.Argument {
    private enum Kind: String {
        case key, real, decimal, date
    }

    package var text: String {
        switch self {
        case .keyPath(let path): "\(Kind.key):\(path)"
        case .real(let real): "\(Kind.real):\(real)"
        case .decimal(let decimal): "\(Kind.decimal):\(decimal)"
        case .date(let seconds): "\(Kind.date):\(seconds)"
        }
    }

    /// - Returns: `nil` for a text that is no encoded argument.
    package init?(text: String) {
        guard let colon = text.firstIndex(of: ":"), let kind = Kind(rawValue: String(text[..<colon])) else {
            return nil
        }
        let content = String(text[text.index(after: colon)...])
        let found: Self? =
            switch kind {
            case .key: .keyPath(content)
            case .real: Double(content).map(Self.real)
            // Foundation writes NaN, but does not parse it.
            case .decimal where content == "\(Decimal.nan)": .decimal(.nan)
            case .decimal: Decimal(string: content).map(Self.decimal)
            case .date: Double(content).map(Self.date)
            }
        guard let found else { return nil }
        self = found
    }
}
