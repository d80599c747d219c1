import Foundation
import ObjectGraph
import PredicateFormat

/// Format initializers for Foundation's class. This module declares no class of the same name, so that files may import
/// both modules.
///
/// ```swift
/// request.predicate = NSPredicate(format: "name BEGINSWITH[c] %@ AND age > %d", prefix, 17)
/// ```
///
/// - Note: A malformed format does not terminate the process. The predicate is false for every object, a fetch request
///   with it throws the error, and `init(validating:arguments:)` throws it immediately.
extension NSPredicate {
    /// Creates a predicate from a format and the values for its placeholders. It is a comparison or compound predicate
    /// if the format describes one.
    ///
    /// - Parameters:
    ///   - format: The condition. `%@` stands for a value, `%K` for a key path, `%d`, `%f` and similar placeholders for
    ///     numbers.
    ///   - arguments: Values in the order of the placeholders, unless these are numbered (`%2$@`). They are used as
    ///     values and never parsed as part of the format.
    public convenience init(format: String, _ arguments: Any?...) {
        self.init(made: Self.reading(format, arguments))
    }

    /// Creates a predicate from a format and an array of values for its placeholders; `NSNull` stands for nil.
    public convenience init(format: String, argumentArray arguments: [Any]?) {
        self.init(made: Self.reading(format, arguments ?? []))
    }

    /// Creates a predicate from a format that may be malformed, such as text typed by a user.
    ///
    /// - Throws: `PredicateFormatError` with the position and the reason.
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

    /// Creates a predicate of the class that fits the tree. For a subclass that a program declares, creates an instance
    /// of it that evaluates the tree.
    convenience init(made tree: FormatPredicate) {
        if let made = NSPredicate.predicate(tree) as? Self {
            self.init(replacedBy: made)
        } else {
            self.init(block: { FormatEvaluator(variables: $1 ?? [:]).test(tree, of: $0) })
        }
    }

    /// Returns a copy of the predicate with values in place of the named variables.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let tree = tree.substituting(variables.mapValues { FormatArgument($0) })
        return NSPredicate.predicate(tree) as? Self ?? self
    }

    /// Does nothing: a decoded predicate contains only names of properties and no code, so it needs no permission.
    public func allowEvaluation() {}

    /// The predicate as text in the format language. Equals `predicateFormat`, which Foundation deprecates and does not
    /// implement for compound predicates.
    public var formatText: String { tree.description }
}

// MARK: - Trees

/// A predicate backed by a tree.
protocol TreeBacked {
    var backingTree: FormatPredicate { get }
}

extension NSPredicate {
    /// The predicate as a tree. Foundation's constants and compounds are converted; other predicates are opaque code.
    package var tree: FormatPredicate { tree(within: FormatPredicate.depthLimit) }

    /// - Parameter levels: the remaining nesting depth of compounds.
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

    /// Returns a predicate of the class that fits the tree.
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

    /// A compound beyond the nesting limit is false for every object, and a fetch request with it throws.
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

/// Accesses Foundation's `predicateFormat` without its deprecation warning. The text distinguishes constants from
/// closures.
private protocol FormatTextual {
    var predicateFormat: String { get }
}

extension Foundation.NSPredicate: FormatTextual {}

/// Lets an initializer return an instance of a subclass.
protocol Replaceable {}

extension Replaceable {
    init(replacedBy other: Self) { self = other }
}

extension Foundation.NSPredicate: Replaceable {}

extension NSPredicate: FormatArgumentConvertible {
    package var formatArgument: FormatArgument { .predicate(tree) }
}
