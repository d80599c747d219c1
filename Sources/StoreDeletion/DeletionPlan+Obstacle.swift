import ObjectGraph

extension DeletionPlan {
    /// One delete rule, count or mandatory relationship that forbids a deletion.
    public struct Obstacle: Sendable, Hashable, CustomStringConvertible {
        public enum Reason: Sendable, Hashable {
            /// The relationship's rule is deny, and it has destinations that stay.
            case denied
            /// A relationship of rows that stay would be left empty and must have a value.
            case mandatoryRelationshipLeftEmpty
            /// A relationship of rows that stay would have fewer members than its minimum.
            case tooFewMembers
        }

        public let reason: Reason
        /// The relationship of the rows that were to go, as `Entity.relationship`.
        public let relationship: String
        /// The number of rows that stay and are concerned.
        public let count: Int
        /// At most five of them.
        public let examples: [RowIdentifier]
        /// What is forbidden, and what to do.
        public let description: String
        /// Name of the relationship that the rule is broken at: the denying one, or the one left with too little.
        let property: String
        /// As programs know it from Core Data's log, where it has such a text.
        let failureReason: String?

        init(_ refusal: DeleteRefusal) {
            switch refusal.reason {
            case .denied:
                reason = .denied
                property = refusal.relationship.relationship
            case .mandatory(let inverse, _):
                reason = .mandatoryRelationshipLeftEmpty
                property = inverse.relationship
            case .tooFew(let inverse, _):
                reason = .tooFewMembers
                property = inverse.relationship
            }
            relationship = refusal.relationship.description
            count = refusal.count
            examples = refusal.examples.map(RowIdentifier.init(storedRow:))
            description = refusal.description
            failureReason = refusal.failureReason
        }
    }
}

extension DeleteRefusal {
    /// The text that programs know from Core Data's log, where there is one: it names the relationship of the rows to be
    /// deleted, whose inverse must have a value.
    package var failureReason: String? { mandatoryInverseText.map { "Constraint trigger violation: \($0)" } }

    /// The same without what it is a violation of, which differs between Apple's frameworks.
    package var mandatoryInverseText: String? {
        guard case .mandatory(_, let shape) = reason else { return nil }
        let kind =
            switch shape {
            case .oneToOne: "OTO"
            case .oneToMany: "OTM"
            case .manyToMany: "MTM"
            }
        return "Batch delete failed due to mandatory \(kind) nullify inverse on "
            + "\(relationship.entity)/\(relationship.relationship)"
    }
}
