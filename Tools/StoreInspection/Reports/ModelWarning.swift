import ObjectGraph

/// A warning of `ModelLint`: one that containers report as well, or one of its own.
package enum ModelWarning: Sendable, Hashable {
    case rule(DeleteRuleWarning)
    /// Deleting the destination leaves a mandatory reference dangling.
    case mandatoryWithoutInverse(DeleteRuleWarning.End, destination: String)

    package var code: String {
        switch self {
        case .rule(let warning): warning.code
        case .mandatoryWithoutInverse: Self.codeOfMandatory
        }
    }

    package var severity: DeleteRuleWarning.Severity {
        switch self {
        case .rule(let warning): warning.severity
        case .mandatoryWithoutInverse: .warning
        }
    }

    package var ends: [DeleteRuleWarning.End] {
        switch self {
        case .rule(let warning): warning.ends
        case .mandatoryWithoutInverse(let end, _): [end]
        }
    }

    private static let codeOfMandatory = "mandatory-without-inverse"
    /// All values of `code`.
    package static let codes = DeleteRuleWarning.codes + [codeOfMandatory]

    /// Like `DeleteRuleWarning.isSilenced`.
    package func isSilenced(by entries: Set<String>) -> Bool {
        switch self {
        case .rule(let warning): warning.isSilenced(by: entries)
        case .mandatoryWithoutInverse(let end, _):
            !entries.isDisjoint(with: [DeleteRuleWarning.silencesAll, code, end.entity, end.description])
        }
    }
}

extension ModelWarning: CustomStringConvertible {
    package var description: String {
        switch self {
        case .rule(let warning): warning.description
        case .mandatoryWithoutInverse(let end, let destination):
            "'\(end)' must have a value and has no inverse: deleting \(destination.quotedWithArticle) leaves every '\(end.entity)' that "
                + "has it leading nowhere; give '\(destination)' a relationship back that denies or cascades, or make "
                + "'\(end)' optional."
        }
    }
}
