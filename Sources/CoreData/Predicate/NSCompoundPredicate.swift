import Foundation
import ObjectGraph

/// A predicate made of others: all of them, any of them, or not the one.
open class NSCompoundPredicate: NSPredicate {
    public enum LogicalType: UInt, Sendable {
        case not = 0
        case and = 1
        case or = 2
    }

    /// - Parameter subpredicates: For `.not`, the first counts; with none at all, NOT and AND are true and OR is false.
    public convenience init(type: LogicalType, subpredicates: [Foundation.NSPredicate]) {
        let parts = subpredicates.map(Self.tree)
        switch type {
        case .not: self.init(tree: .not(parts.first ?? .constant(false)))
        case .and: self.init(tree: .and(parts))
        case .or: self.init(tree: .or(parts))
        }
    }

    /// Holds where all the others do.
    public convenience init(andPredicateWithSubpredicates subpredicates: [Foundation.NSPredicate]) {
        self.init(type: .and, subpredicates: subpredicates)
    }

    /// Holds where any of the others does.
    public convenience init(orPredicateWithSubpredicates subpredicates: [Foundation.NSPredicate]) {
        self.init(type: .or, subpredicates: subpredicates)
    }

    /// Holds where the other does not.
    public convenience init(notPredicateWithSubpredicate predicate: Foundation.NSPredicate) {
        self.init(type: .not, subpredicates: [predicate])
    }

    /// Predicates that Foundation made are asked like a closure.
    private static func tree(_ predicate: Foundation.NSPredicate) -> FormatPredicate {
        if let predicate = predicate as? NSPredicate { return predicate.tree }
        return .block(FormatPredicateBlock { predicate.evaluate(with: $0, substitutionVariables: $1) })
    }

    open var compoundPredicateType: LogicalType {
        switch tree {
        case .not: .not
        case .or: .or
        default: .and
        }
    }

    open var subpredicates: [Any] {
        switch tree {
        case .not(let part): [NSPredicate.predicate(part)]
        case .and(let parts), .or(let parts): parts.map(NSPredicate.predicate)
        default: []
        }
    }

    package override init(tree: FormatPredicate) { super.init(tree: tree) }

    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
