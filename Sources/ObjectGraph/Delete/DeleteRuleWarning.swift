/// A declaration, or a table of a file, that makes deletions fail, delete more than intended, or take long. The
/// description states the effect and the remedy.
package enum DeleteRuleWarning: Sendable, Hashable {
    /// One end of a relationship.
    package struct End: Sendable, Hashable {
        /// The entity that declares the relationship.
        package let entity: String
        package let relationship: String

        package init(_ entity: String, _ relationship: String) {
            self.entity = entity
            self.relationship = relationship
        }
    }

    package enum Severity: Sendable, Hashable {
        /// It works, but perhaps not as intended. Can be silenced.
        case warning
        /// It can never work; a container refuses the model.
        case error
    }

    /// Deleting an owner of the first end is refused while a destination requires it by the mandatory end.
    case nullifyMandatory(End, mandatory: End)
    /// Both ends are equal if a relationship is its own inverse.
    case cascadeBothWays(End, End)
    /// Both ends are equal if a relationship is its own inverse.
    case denyBothWays(End, End)
    /// Each member can have only one owner, to which it has no reference.
    case toManyWithoutInverse(End, destination: String)
    /// A cycle of cascades, each starting at the destination of the one before.
    case cascadeCycle([End])
    /// Counts that no list can have, except for an empty list if the relationship is optional.
    case countsInverted(End, minimum: Int, maximum: Int, isOptional: Bool)
    /// A key column of the file without an index that starts with it.
    case keyWithoutIndex(End, table: String, column: String)
}

extension DeleteRuleWarning {
    /// The permanent name of the problem, used to silence it.
    package var code: String {
        switch self {
        case .nullifyMandatory: "nullify-mandatory"
        case .cascadeBothWays: "cascade-both-ways"
        case .denyBothWays: "deny-both-ways"
        case .toManyWithoutInverse: "to-many-without-inverse"
        case .cascadeCycle: "cascade-cycle"
        case .countsInverted: "counts-inverted"
        case .keyWithoutIndex: "key-without-index"
        }
    }

    package var severity: Severity {
        if case .countsInverted(_, _, _, isOptional: false) = self { return .error }
        return .warning
    }

    /// All ends concerned, without repetition.
    package var ends: [End] {
        switch self {
        case .nullifyMandatory(let end, let mandatory): [end, mandatory]
        case .cascadeBothWays(let end, let other), .denyBothWays(let end, let other):
            end == other ? [end] : [end, other]
        case .cascadeCycle(let ends): ends
        case .toManyWithoutInverse(let end, _), .countsInverted(let end, _, _, _), .keyWithoutIndex(let end, _, _):
            [end]
        }
    }

    /// The entry that silences every warning.
    package static let silencesAll = "all"
    /// All existing codes.
    package static let codes = [
        "nullify-mandatory", "cascade-both-ways", "deny-both-ways", "to-many-without-inverse", "cascade-cycle",
        "counts-inverted", "key-without-index",
    ]

    /// Whether one of the entries is `all`, this warning's code, or the name of an entity or a relationship
    /// (`Entity.relationship`) concerned. Errors are never silenced.
    package func isSilenced(by entries: Set<String>) -> Bool {
        guard severity == .warning, !entries.isEmpty else { return false }
        return entries.contains(Self.silencesAll) || entries.contains(code)
            || ends.contains { entries.contains($0.entity) || entries.contains($0.description) }
    }
}

extension DeleteRuleWarning.End: CustomStringConvertible {
    package var description: String { "\(entity).\(relationship)" }
}

extension DeleteRuleWarning: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nullifyMandatory(let end, let mandatory):
            "'\(end)' (.nullify) clears '\(mandatory)', which must have a value: deleting \(end.entity.quotedWithArticle) is refused "
                + "while \(mandatory.entity.quotedWithArticle) has it; cascade from '\(end)', or make '\(mandatory)' optional."
        case .cascadeBothWays(let end, let other) where end == other:
            "'\(end)' is its own inverse and cascades: deleting \(end.entity.quotedWithArticle) deletes all that are linked with "
                + "it, and all that are linked with those; use .nullify."
        case .cascadeBothWays(let end, let other):
            "'\(end)' and its inverse '\(other)' both cascade: deleting either end deletes the other, and "
                + "whatever that cascades to; cascade from the owner's end only."
        case .denyBothWays(let end, let other) where end == other:
            "'\(end)' is its own inverse and denies: of two that are linked neither can be deleted without the other "
                + "in the same save; use .nullify."
        case .denyBothWays(let end, let other):
            "'\(end)' and its inverse '\(other)' both deny: while linked, neither can be deleted without the other in "
                + "the same save; deny at one end only."
        case .toManyWithoutInverse(let end, let destination):
            "'\(end)' has no inverse: each '\(destination)' can be in the list of one '\(end.entity)' only and does not "
                + "know which; give it a relationship back, or write 'inverse: nil' where that is meant."
        case .cascadeCycle(let ends):
            "The cascades \(ends.map { "'\($0)'" }.joined(separator: ", ")) form a cycle: one delete "
                + "may delete far more than intended; use another rule for one of them."
        case .countsInverted(let end, let minimum, let maximum, let isOptional):
            "'\(end)' needs at least \(minimum) and takes at most \(maximum), so \(isOptional ? "only an empty list" : "no list") "
                + "of \(end.entity.quotedWithArticle) can be saved; correct the counts."
        case .keyWithoutIndex(let end, let table, let column):
            "No index of the file begins with \(table).\(column): each delete that follows '\(end)' reads the whole "
                + "table; add an index on that column."
        }
    }

    /// The text for a log, with the code that silences it.
    package var line: String { "\(description) [\(code)]" }
}
