import Foundation
import ModelText
import ObjectGraph

/// Values that model files write as text.
enum DocumentValue {
    /// - Returns: `nil` without a default value. A value that cannot be read stays a text, so that compiling the model reports the
    ///   attribute.
    static func defaultValue(of attribute: DocumentAttribute) -> Any? {
        if attribute.type == .date {
            return attribute.defaultDate.map { Date(timeIntervalSinceReferenceDate: $0) } ?? attribute.defaultText
        }
        guard let text = attribute.defaultText else { return nil }
        return value(text, attribute.type) ?? text
    }

    private static func value(_ text: String, _ type: ObjectGraph.AttributeType?) -> Any? {
        switch type {
        case .integer16: Int16(text)
        case .integer32: Int32(text)
        case .integer64: Int64(text)
        case .boolean: text == "YES" || text == "1" ? true : text == "NO" || text == "0" ? false : nil
        case .double: Double(text)
        case .float: Float(text)
        case .decimal: Decimal(string: text)
        case .uuid: UUID(uuidString: text)
        case .uri: URL(string: text)
        case .string: text
        case .date, .binary, .transformable, .composite, nil: nil
        }
    }

    /// Core Data's codes of validation errors.
    private enum Code {
        static let numberTooLarge = 1610
        static let numberTooSmall = 1620
        static let dateTooLate = 1630
        static let dateTooSoon = 1640
        static let textTooLong = 1660
        static let textTooShort = 1670
        static let textPattern = 1680
    }

    /// The limits of a model file as predicates of the value, each with the code of its error.
    static func validation(of attribute: DocumentAttribute) -> [(predicate: String, code: Int)] {
        var rules: [(predicate: String, code: Int)] = []
        switch attribute.type {
        case .string:
            if let least = count(attribute.minimumText) { rules.append(("length >= \(least)", Code.textTooShort)) }
            if let most = count(attribute.maximumText) { rules.append(("length <= \(most)", Code.textTooLong)) }
        case .date:
            if let least = attribute.minimumDate {
                rules.append(("SELF >= CAST(\(least), \"NSDate\")", Code.dateTooSoon))
            }
            if let most = attribute.maximumDate {
                rules.append(("SELF <= CAST(\(most), \"NSDate\")", Code.dateTooLate))
            }
        case .integer16, .integer32, .integer64, .double, .float, .decimal:
            if let least = number(attribute.minimumText) { rules.append(("SELF >= \(least)", Code.numberTooSmall)) }
            if let most = number(attribute.maximumText) { rules.append(("SELF <= \(most)", Code.numberTooLarge)) }
        default: break
        }
        if attribute.type == .string, let pattern = attribute.regularExpression {
            rules.append(("SELF MATCHES \(quoted(pattern))", Code.textPattern))
        }
        return rules
    }

    private static func count(_ text: String?) -> Int? {
        text.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
    }

    /// Parses a number, so that only numbers get into a predicate.
    private static func number(_ text: String?) -> Decimal? {
        text.flatMap { Decimal(string: $0) }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
