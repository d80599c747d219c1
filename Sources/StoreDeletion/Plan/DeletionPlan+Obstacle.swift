import ObjectGraph

extension DeletionPlan {
    /// One delete rule, minimum count or mandatory relationship that forbids a deletion.
    public struct Obstacle: Sendable, Hashable, CustomStringConvertible {
        /// The kinds of obstacles.
        public enum Reason: Sendable, Hashable {
            /// The relationship's rule is deny, and some of its destinations survive.
            case denied
            /// A mandatory relationship of surviving rows would be left empty.
            case mandatoryRelationshipLeftEmpty
            /// A relationship of surviving rows would have fewer members than its minimum count.
            case tooFewMembers
        }

        /// The kind of obstacle.
        public let reason: Reason
        /// The relationship of the rows to be deleted, as `Entity.relationship`.
        public let relationship: String
        /// The number of surviving rows concerned.
        public let count: Int
        /// At most five of the surviving rows concerned.
        public let examples: [RowIdentifier]
        /// A text that states what is forbidden and how to proceed.
        public let description: String
        /// Name of the relationship whose rule is broken: the denying one, or the inverse left with too few members.
        let property: String
        /// The text of Core Data's log, where there is one.
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
    /// The text of Core Data's log, where there is one: it names the relationship of the rows to be deleted whose inverse must
    /// have a value.
    package var failureReason: String? { mandatoryInverseText.map { "Constraint trigger violation: \($0)" } }

    /// `failureReason` without its first words, which differ between Apple's frameworks.
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
