import Foundation
import ObjectGraph
import PredicateFormat

/// Archives predicates and expressions as format text, plus values that the text cannot contain.
enum FormatArchive {
    private static let (text, arguments) = ("format", "arguments")

    static func encode(_ predicate: FormatPredicate, to coder: NSCoder) {
        encode(ArchivedFormat(predicate), predicate.hasCode, "predicate", to: coder)
    }

    static func encode(_ expression: FormatExpression, to coder: NSCoder) {
        encode(ArchivedFormat(expression), expression.hasCode, "expression", to: coder)
    }

    private static func encode(_ format: ArchivedFormat?, _ hasCode: Bool, _ kind: String, to coder: NSCoder) {
        guard let format else {
            let reason = hasCode ? "has a closure or an object in it" : "cannot be said in the predicate language"
            return fail(coder, "The \(kind) \(reason) and is not archived.")
        }
        coder.encode(NSString(string: format.text), forKey: text)
        guard !format.arguments.isEmpty else { return }
        coder.encode(NSArray(array: format.arguments.map { NSString(string: $0.text) }), forKey: arguments)
    }

    static func predicate(from coder: NSCoder) -> FormatPredicate? { format(from: coder)?.predicate }

    static func expression(from coder: NSCoder) -> FormatExpression? { format(from: coder)?.expression }

    private static func format(from coder: NSCoder) -> ArchivedFormat? {
        guard let text = coder.decodeObject(of: NSString.self, forKey: text) else { return nil }
        guard let arguments = readArguments(from: coder) else { return nil }
        return ArchivedFormat(text: String(describing: text), arguments: arguments)
    }

    /// - Returns: `nil` if an element is no valid argument.
    private static func readArguments(from coder: NSCoder) -> [ArchivedFormat.Argument]? {
        // Decoding a missing value would be an error.
        guard coder.containsValue(forKey: arguments) else { return [] }
        let list = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: arguments) as? NSArray
        let texts = list?.compactMap { $0 as? String }
        let read = texts?.compactMap(ArchivedFormat.Argument.init)
        return read?.count == list?.count ? read : nil
    }

    /// Makes archiving fail: the archiver has the error afterwards, and
    /// `archivedData(withRootObject:requiringSecureCoding:)` throws it.
    static func fail(_ coder: NSCoder, _ text: String) {
        let error = CocoaError(.coderInvalidValue, userInfo: [NSDebugDescriptionErrorKey: text])
        // `failWithError(_:)` of Foundation's archiver terminates the process; an error assigned to it is thrown.
        if let archiver = coder as? NSKeyedArchiver { archiver.error = error } else { coder.failWithError(error) }
    }
}
