import Foundation
import ObjectGraph
import PredicateFormat

/// One side of a comparison, or a value to be fetched: a key path, a constant, a calculation.
///
/// Foundation has a class of this name that cannot be used. `CoreData` exports this one by its name, which hides Foundation's
/// in files that import both modules.
///
/// - Note: An accessor that does not apply to the expression's type gives something harmless (an empty text, the
///   evaluated object) rather than ending the process.
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

    /// What the expression says.
    package let tree: FormatExpression

    package init(tree: FormatExpression) { self.tree = tree }

    // MARK: Formats

    /// An expression from a format and the values for its placeholders. One that cannot be read is told of in the log; its
    /// value is nil, and requests and migrations with it throw.
    public convenience init(format: String, _ arguments: Any?...) {
        self.init(tree: Self.reading(format, arguments))
    }

    /// An expression from a format and an array of values for its placeholders.
    public convenience init(format: String, argumentArray arguments: [Any]) {
        self.init(tree: Self.reading(format, arguments))
    }

    /// An expression from a format that may be wrong.
    ///
    /// - Throws: `PredicateFormatError`, which says at which character reading stopped, and why.
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

    /// The expression's value for an object. Values of the bindings stand for the variables.
    ///
    /// - Returns: Numbers, texts, dates and the like as Swift's types, collections as arrays; `nil` for nil, and where
    ///   there is no value.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        var variables: [String: Any] = [:]
        for case (let name as String, let value) in context ?? [:] { variables[name] = value }
        return FormatEvaluator(variables: variables, context: context).value(tree, of: object)
    }

    /// Nothing here needs permission: a decoded expression names properties only, never code.
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

    /// Reads the expression's format.
    public required init?(coder: NSCoder) {
        guard let tree = FormatArchive.expression(from: coder) else { return nil }
        self.tree = tree
    }

    /// Writes the expression's format. With a closure in it, archiving throws.
    open func encode(with coder: NSCoder) {
        FormatArchive.encode(tree, to: coder)
    }
}

extension NSExpression: FormatArgumentConvertible {
    package var formatArgument: FormatArgument { .expression(tree) }
}
