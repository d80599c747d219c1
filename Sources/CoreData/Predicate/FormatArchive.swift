import Foundation
import ObjectGraph

/// Archives predicates and expressions as their text.
enum FormatArchive {
    private static let key = "format"

    static func encode(_ predicate: FormatPredicate, to coder: NSCoder) {
        guard !predicate.hasCode else { return fail(coder, "a predicate with a closure or an object in it") }
        coder.encode(NSString(string: predicate.description), forKey: key)
    }

    static func encode(_ expression: FormatExpression, to coder: NSCoder) {
        guard !expression.hasCode else { return fail(coder, "an expression with a closure or an object in it") }
        coder.encode(NSString(string: expression.description), forKey: key)
    }

    static func predicate(from coder: NSCoder) -> FormatPredicate? {
        text(from: coder).flatMap { try? PredicateFormat(parsing: $0).predicate }
    }

    static func expression(from coder: NSCoder) -> FormatExpression? {
        text(from: coder).flatMap { try? ExpressionFormat(parsing: $0).expression }
    }

    private static func text(from coder: NSCoder) -> String? {
        coder.decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
    }

    static func fail(_ coder: NSCoder, _ what: String) {
        coder.failWithError(
            CocoaError(.coderInvalidValue, userInfo: [NSDebugDescriptionErrorKey: "\(what) cannot be archived."]))
    }
}
