import Foundation
import ObjectGraph
import PredicateFormat

/// Formats for Foundation's class. There is no class of the name in this module, so that files may import both modules.
///
/// ```swift
/// request.predicate = NSPredicate(format: "name BEGINSWITH[c] %@ AND age > %d", prefix, 17)
/// ```
///
/// - Note: A format that cannot be read does not end the process. The predicate holds for no object, a fetch request
///   that uses it throws the error, and `init(validating:arguments:)` throws it at once.
extension NSPredicate {
    /// A predicate from a format and the values for its placeholders: a comparison or compound predicate where the
    /// format is one.
    ///
    /// - Parameters:
    ///   - format: The condition. `%@` stands for a value, `%K` for a key path, `%d`, `%f` and their kin for numbers.
    ///   - arguments: Values in the order of the placeholders, unless these have numbers (`%2$@`). They are taken as
    ///     they are and never read as part of the format.
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

    /// An object of the class that fits the tree. A program's own subclass gets one of its class that asks the tree.
    convenience init(made tree: FormatPredicate) {
        if let made = NSPredicate.predicate(tree) as? Self {
            self.init(replacedBy: made)
        } else {
            self.init(block: { FormatEvaluator(variables: $1 ?? [:]).test(tree, of: $0) })
        }
    }

    /// The predicate with the values in place of the variables of those names.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let tree = tree.substituting(variables.mapValues { FormatArgument($0) })
        return NSPredicate.predicate(tree) as? Self ?? self
    }

    /// Nothing here needs permission: a decoded predicate names properties only, never code.
    public func allowEvaluation() {}

    /// The predicate as text, in the language that `init(format:_:)` reads. The same as `predicateFormat`, which
    /// Foundation calls deprecated and knows of compound predicates nothing.
    public var formatText: String { tree.description }
}

// MARK: - Trees

/// A predicate that was made from a tree.
protocol TreeBacked {
    var backingTree: FormatPredicate { get }
}

extension NSPredicate {
    /// What the predicate says. Foundation's own constants and compounds are taken apart; other predicates are code.
    package var tree: FormatPredicate { tree(within: FormatPredicate.depthLimit) }

    /// - Parameter levels: how deep compounds may still nest.
    fileprivate func tree(within levels: Int) -> FormatPredicate {
        if let backed = self as? any TreeBacked { return backed.backingTree }
        if let compound = self as? NSCompoundPredicate { return compound.compoundTree(within: levels) }
        if type(of: self) == Foundation.NSPredicate.self {
            switch (self as any FormatTextual).predicateFormat {
            case "TRUEPREDICATE": return .constant(true)
            case "FALSEPREDICATE": return .constant(false)
            default: break
            }
        }
        return .block(FormatPredicateBlock { self.evaluate(with: $0, substitutionVariables: $1) })
    }

    /// A predicate of the class that fits the tree.
    package static func predicate(_ tree: FormatPredicate) -> NSPredicate {
        switch tree {
        case .comparison: NSComparisonPredicate(tree: tree)
        case .not(let part): ReadCompoundPredicate(type: .not, subpredicates: [predicate(part)])
        case .and(let parts): ReadCompoundPredicate(type: .and, subpredicates: parts.map(predicate))
        case .or(let parts): ReadCompoundPredicate(type: .or, subpredicates: parts.map(predicate))
        case .constant, .block, .malformed: ReadPredicate(tree: tree)
        }
    }
}

extension NSCompoundPredicate {
    var compoundTree: FormatPredicate { compoundTree(within: FormatPredicate.depthLimit) }

    /// What nests deeper holds for no object, and a fetch request with it throws.
    fileprivate func compoundTree(within levels: Int) -> FormatPredicate {
        guard levels > 0 else {
            let error = FormatError(.tooDeep(limit: FormatPredicate.depthLimit), at: 0)
            return .malformed(error, text: "FALSEPREDICATE")
        }
        let parts = subpredicates.map { $0.tree(within: levels - 1) }
        return switch compoundPredicateType {
        case .not: .not(parts.first ?? .constant(false))
        case .and: .and(parts)
        case .or: .or(parts)
        }
    }
}

/// Foundation's property, asked without the warning that the text is of no use: it tells constants from closures.
private protocol FormatTextual {
    var predicateFormat: String { get }
}

extension Foundation.NSPredicate: FormatTextual {}

/// Lets an initializer give an object of a subclass.
protocol Replaceable {}

extension Replaceable {
    init(replacedBy other: Self) { self = other }
}

extension Foundation.NSPredicate: Replaceable {}

extension NSPredicate: FormatArgumentConvertible {
    package var formatArgument: FormatArgument { .predicate(tree) }
}
