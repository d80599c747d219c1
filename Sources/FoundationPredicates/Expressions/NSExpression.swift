import Foundation
import ObjectGraph
import PredicateFormat

/// One side of a comparison, or a value to fetch: a key path, a constant, a calculation.
///
/// Foundation's class of this name cannot be used. `CoreData` exports this class under the same name, which hides
/// Foundation's in files that import both modules.
///
/// - Note: An accessor that does not apply to the expression's type returns a neutral value (an empty text, the
///   evaluated object) instead of terminating the process.
nonisolated open class NSExpression: NSObject, NSCopying, NSSecureCoding {
    public enum ExpressionType: UInt, Sendable {
        case constantValue = 0
        case evaluatedObject = 1
        case variable = 2
        case keyPath = 3
        case function = 4
        case unionSet = 5
        case intersectSet = 6
        case minusSet = 7
        case subquery = 13
        case aggregate = 14
        case anyKey = 15
        case block = 19
        case conditional = 20
    }

    /// The expression as a tree.
    package let tree: FormatExpression

    package init(tree: FormatExpression) { self.tree = tree }

    // MARK: Formats

    /// Creates an expression from a format and the values for its placeholders. A malformed format is logged; the value
    /// of the expression is then nil, and requests and migrations with it throw.
    public convenience init(format: String, _ arguments: Any?...) {
        self.init(tree: Self.reading(format, arguments))
    }

    /// Creates an expression from a format and an array of values for its placeholders.
    public convenience init(format: String, argumentArray arguments: [Any]) {
        self.init(tree: Self.reading(format, arguments))
    }

    /// Creates an expression from a format that may be malformed.
    ///
    /// - Throws: `PredicateFormatError` with the position and the reason.
    public convenience init(validating format: String, arguments: [Any?] = []) throws {
        do throws(FormatError) {
            let parsed = try ExpressionFormat(parsing: format, arguments: arguments.map { FormatArgument($0) })
            self.init(tree: parsed.expression)
        } catch {
            throw PredicateFormatError(error, in: format)
        }
    }

    private static func reading(_ format: String, _ arguments: [Any?]) -> FormatExpression {
        do throws(FormatError) {
            return try ExpressionFormat(parsing: format, arguments: arguments.map { FormatArgument($0) }).expression
        } catch {
            MalformedFormats.report(error, in: format)
            return .malformed(error, text: format)
        }
    }

    // MARK: Evaluation

    /// Returns the expression's value for an object. Entries of the context supply the values of variables.
    ///
    /// - Returns: Numbers, texts, dates and similar values as Swift types, collections as arrays; `nil` for nil, and if
    ///   there is no value.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        var variables: [String: Any] = [:]
        for case (let name as String, let value) in context ?? [:] { variables[name] = value }
        return FormatEvaluator(variables: variables, context: context).value(tree, of: object)
    }

    /// Does nothing: a decoded expression contains only names of properties and no code, so it needs no permission.
    open func allowEvaluation() {}

    // MARK: Description, copying, equality, archives

    open override var description: String { tree.description }

    open override func copy() -> Any { self }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSExpression)?.tree == tree
    }

    open override var hash: Int { tree.hashValue }

    open class var supportsSecureCoding: Bool { true }

    /// Creates an expression from its archived format.
    public required init?(coder: NSCoder) {
        guard let tree = FormatArchive.expression(from: coder) else { return nil }
        self.tree = tree
    }

    /// Archives the expression's format. Throws if the expression contains a closure.
    open func encode(with coder: NSCoder) {
        FormatArchive.encode(tree, to: coder)
    }
}

extension NSExpression: FormatArgumentConvertible {
    package var formatArgument: FormatArgument { .expression(tree) }
}
