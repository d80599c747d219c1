/// A declaration, or a file's table, that makes deletes fail, go further than meant, or take long. Facts only; the text
/// says what happens and what to do.
package enum DeleteRuleWarning: Sendable, Hashable {
    /// One end of a relationship.
    package struct End: Sendable, Hashable {
        /// The entity that declares it.
        package let entity: String
        package let relationship: String

        package init(_ entity: String, _ relationship: String) {
            self.entity = entity
            self.relationship = relationship
        }
    }

    package enum Severity: Sendable, Hashable {
        /// Works, but perhaps not as meant. Can be silenced.
        case warning
        /// Can never work; a container refuses it.
        case error
    }

    /// Deleting the owner of the first end is refused while somebody needs it for the mandatory one.
    case nullifyMandatory(End, mandatory: End)
    /// The same end twice where a relationship is its own inverse.
    case cascadeBothWays(End, End)
    /// The same end twice where a relationship is its own inverse.
    case denyBothWays(End, End)
    /// Its members can be of one owner only, which they do not know.
    case toManyWithoutInverse(End, destination: String)
    /// Cascades that come back to where they began, each from where the one before leads.
    case cascadeCycle([End])
    /// Counts that no list can have. An empty list is excepted where the relationship is optional.
    case countsInverted(End, minimum: Int, maximum: Int, isOptional: Bool)
    /// A key column of the file that no index begins with.
    case keyWithoutIndex(End, table: String, column: String)
}

extension DeleteRuleWarning {
    /// The lasting name of the problem; what silencing goes by.
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

    /// Every end that takes part, without repetition.
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

    /// Stands for every warning.
    package static let silencesAll = "all"
    /// Every `code` there is.
    package static let codes = [
        "nullify-mandatory", "cascade-both-ways", "deny-both-ways", "to-many-without-inverse", "cascade-cycle",
        "counts-inverted", "key-without-index",
    ]

    /// Whether one of the entries is `all`, this warning's code, or names an entity or a relationship
    /// (`Entity.relationship`) that takes part. Errors are never silenced.
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
            "'\(end)' and its inverse '\(other)' both cascade: deleting at either end takes the other along, and "
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
            "The cascades \(ends.map { "'\($0)'" }.joined(separator: ", ")) lead back to where they began: one delete "
                + "may take along far more than it should; use another rule for one of them."
        case .countsInverted(let end, let minimum, let maximum, let isOptional):
            "'\(end)' needs at least \(minimum) and takes at most \(maximum), so \(isOptional ? "only an empty list" : "no list") "
                + "of \(end.entity.quotedWithArticle) can be saved; correct the counts."
        case .keyWithoutIndex(let end, let table, let column):
            "No index of the file begins with \(table).\(column): each delete that follows '\(end)' reads the whole "
                + "table; add an index on that column."
        }
    }

    /// The text for a log, with the code to silence it by.
    package var line: String { "\(description) [\(code)]" }
}
