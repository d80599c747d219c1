import Foundation
import ObjectGraph

/// A predicate or an expression as a text and the values of its placeholders, from which the same one is read again.
///
/// The text for people says less: a whole real looks like an integer there, an infinite number or a key such as
/// `first-name` like something else altogether.
package struct ArchivedFormat {
    package let text: String
    package let arguments: [Argument]

    /// What stands for a placeholder.
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

    /// - Returns: `nil` for one with code or an object of the program in it, and for one that no text says.
    package init?(_ predicate: FormatPredicate) {
        guard !predicate.hasCode else { return nil }
        self.init(written: predicate)
        guard let read = self.predicate, isSame(as: ArchivedFormat(written: read)) else { return nil }
    }

    /// - Returns: `nil` as above.
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

    /// What is not a number equals nothing, itself included; its text does.
    private func isSame(as other: ArchivedFormat) -> Bool {
        text == other.text && arguments.map(\.text) == other.arguments.map(\.text)
    }

    // MARK: Reading

    /// `nil` for a text that is no predicate.
    package var predicate: FormatPredicate? {
        try? PredicateFormat(parsing: text, arguments: arguments.map(\.formatArgument)).predicate
    }

    /// `nil` for a text that is no expression.
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

/// One text for each, its kind in front.
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

    /// - Returns: `nil` for a text that is none of these.
    package init?(text: String) {
        guard let colon = text.firstIndex(of: ":"), let kind = Kind(rawValue: String(text[..<colon])) else {
            return nil
        }
        let content = String(text[text.index(after: colon)...])
        let found: Self? =
            switch kind {
            case .key: .keyPath(content)
            case .real: Double(content).map(Self.real)
            // Foundation writes NaN, and reads it as nothing.
            case .decimal where content == "\(Decimal.nan)": .decimal(.nan)
            case .decimal: Decimal(string: content).map(Self.decimal)
            case .date: Double(content).map(Self.date)
            }
        guard let found else { return nil }
        self = found
    }
}
