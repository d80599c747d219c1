import Foundation
import ObjectGraph

/// A condition that objects are tested against, or that a fetch request is narrowed by.
///
/// ```swift
/// request.predicate = NSPredicate(format: "name BEGINSWITH[c] %@ AND age > %d", prefix, 17)
/// ```
///
/// It is a subclass of Foundation's class of the same name, so Foundation's own methods that take a predicate accept it.
/// A file that imports both modules gets this one.
///
/// - Note: A format that cannot be read does not end the process. The predicate holds for no object, a fetch request
///   that uses it throws the error, and `init(validating:arguments:)` throws it at once.
open class NSPredicate: Foundation.NSPredicate, NSSecureCoding {
    /// What the predicate says.
    package let tree: FormatPredicate

    package init(tree: FormatPredicate) {
        self.tree = tree
        super.init(value: false)
    }

    // MARK: Formats

    /// A predicate from a format and the values for its placeholders.
    ///
    /// - Parameters:
    ///   - format: The condition. `%@` stands for a value, `%K` for a key path, `%d`, `%f` and their kin for numbers.
    ///   - arguments: Values in the order of the placeholders. They are taken as they are and never read as part of
    ///     the format.
    public convenience init(format: String, _ arguments: Any?...) {
        self.init(made: Self.reading(format, arguments))
    }

    /// A predicate from a format and an array of values for its placeholders; `NSNull` stands for nil.
    public convenience init(format: String, argumentArray arguments: [Any]?) {
        self.init(made: Self.reading(format, arguments ?? []))
    }

    /// A predicate from a format that may be wrong: for text that a user has typed.
    ///
    /// - Throws: `PredicateFormatError`, which says at which character reading stopped, and why.
    public convenience init(validating format: String, arguments: [Any?] = []) throws {
        let parsed: PredicateFormat
        do throws(FormatError) {
            parsed = try PredicateFormat(parsing: format, arguments: arguments.map { FormatArgument($0) })
        } catch {
            throw PredicateFormatError(error, in: format)
        }
        self.init(made: parsed.predicate)
    }

    private static func reading(_ format: String, _ arguments: [Any?]) -> FormatPredicate {
        do throws(FormatError) {
            return try PredicateFormat(parsing: format, arguments: arguments.map { FormatArgument($0) }).predicate
        } catch {
            MalformedFormats.report(error, in: format)
            return .malformed(error, text: format)
        }
    }

    /// A comparison or compound predicate where the tree is one, as far as the class asked for allows it.
    private convenience init(made tree: FormatPredicate) {
        if let specific = NSPredicate.specific(tree) as? Self {
            self.init(replacedBy: specific)
        } else {
            self.init(tree: tree)
        }
    }

    // MARK: Others

    /// A predicate that is true, or false, of everything.
    public override convenience init(value: Bool) {
        self.init(tree: .constant(value))
    }

    /// A predicate that asks a closure. A store cannot evaluate it, so a fetch request that uses it throws.
    public override convenience init(block: @escaping (Any?, [String: Any]?) -> Bool) {
        self.init(tree: .block(FormatPredicateBlock(block)))
    }

    /// The predicate as text, in the language that `init(format:_:)` reads.
    open override var predicateFormat: String { tree.description }

    open override var description: String { predicateFormat }

    /// The predicate with the values in place of the variables of those names.
    open func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let tree = tree.substituting(variables.mapValues { FormatArgument($0) })
        return NSPredicate.predicate(tree) as? Self ?? self
    }

    /// Nothing here needs permission: a decoded predicate names properties only, never code.
    open func allowEvaluation() {}

    // MARK: Evaluation

    open override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }

    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        FormatEvaluator(variables: bindings ?? [:]).test(tree, of: object)
    }

    // MARK: Copying, equality, archives

    open override func copy() -> Any { self }

    open override func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPredicate)?.tree == tree
    }

    open override var hash: Int { tree.hashValue }

    open class var supportsSecureCoding: Bool { true }

    /// Reads the predicate's format.
    public required init?(coder: NSCoder) {
        guard let tree = FormatArchive.predicate(from: coder) else { return nil }
        self.tree = tree
        super.init(value: false)
    }

    /// Writes the predicate's format. One with a closure in it cannot be archived; the coder is told so.
    open func encode(with coder: NSCoder) {
        FormatArchive.encode(tree, to: coder)
    }
}

// MARK: - Classes of predicates

/// Lets an initializer give an object of a subclass.
private protocol Replaceable {}

extension Replaceable {
    fileprivate init(replacedBy other: Self) { self = other }
}

extension NSPredicate: Replaceable {}

extension NSPredicate {
    /// The comparison or compound predicate that the tree is; `nil` for one without parts.
    fileprivate static func specific(_ tree: FormatPredicate) -> NSPredicate? {
        switch tree {
        case .comparison: NSComparisonPredicate(tree: tree)
        case .not, .and, .or: NSCompoundPredicate(tree: tree)
        case .constant, .block, .malformed: nil
        }
    }

    /// A predicate of the class that fits the tree.
    package static func predicate(_ tree: FormatPredicate) -> NSPredicate {
        specific(tree) ?? NSPredicate(tree: tree)
    }
}

extension NSPredicate: FormatArgumentConvertible {
    package var formatArgument: FormatArgument { .predicate(tree) }
}
