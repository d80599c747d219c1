/// What a restore does about what cannot be brought back.
package enum RestoreRule: Sendable, Hashable {
    /// It changes nothing.
    case strict
    /// It leaves that out, and the rows that cannot be without it. What is left out stays kept.
    case skippingConflicts
}

/// What a restore did.
package struct RestoreResult: Sendable {
    /// Rows that are back.
    package var restored = RowSet()
    /// Survivors that have links again.
    package var updated = RowSet()
    /// What was left out, and why.
    package var skipped: [RestoreConflict] = []
    /// Number of the history transaction, when one was written.
    package var transactionNumber: Int64?

    package init() {}

    /// Whether everything is back. Otherwise the rest is still kept under the token.
    package var isComplete: Bool { skipped.isEmpty }
}

/// Something that cannot be brought back: facts only.
package struct RestoreConflict: Sendable, Hashable {
    package let reason: Reason
    package let entity: String
    /// The relationship concerned, where there is one.
    package let relationship: String?
    /// How many rows or links.
    package let count: Int
    /// At most five of the rows.
    package let examples: [ObjectID]

    package enum Reason: Sendable, Hashable {
        /// Another row has the kept row's key.
        case keyInUse
        /// Another row has the kept row's values of these properties, which must be unique.
        case notUnique(properties: [String])
        /// The kept row's reference leads to a row that was there and is not any more.
        case endGone(Need)
        /// The kept row's one-to-one reference leads to a row that has been given another one.
        case endTaken(Need)
        /// One of the two rows that a many-to-many link joined is not there any more.
        case joinedEndGone
        /// The row whose reference was cleared is not there any more.
        case survivorGone
        /// The row whose reference was cleared has been given another destination.
        case survivorRelinked
        /// A file beside the store with one of the kept row's values is missing.
        case fileMissing
    }

    package enum Need: Sendable, Hashable {
        case optional
        /// The row cannot be without: it stays out with its reference.
        case mandatory
    }

    package static let exampleCount = 5

    package init(reason: Reason, entity: String, relationship: String?, count: Int, examples: [ObjectID]) {
        self.reason = reason
        self.entity = entity
        self.relationship = relationship
        self.count = count
        self.examples = Array(examples.prefix(Self.exampleCount))
    }
}

extension RestoreConflict: CustomStringConvertible {
    package var description: String { text(naming: \.uriText) }

    /// - Parameter name: what an example is called.
    package func text(naming name: (ObjectID) -> String) -> String {
        let objects = examples.map(name).joined(separator: ", ") + (count > examples.count ? ", …" : "")
        let subject = "\(count.grouped) '\(entity)' (\(objects))"
        let name = "'\(entity).\(relationship ?? "?")'"
        switch reason {
        case .keyInUse: return "The key of \(subject) is in use again; delete the row that has it."
        case .notUnique(let properties):
            return "Another row has the \(properties.joined(separator: ", ")) of \(subject), which must be unique; "
                + "change it there."
        case .endGone(let need):
            let rest = need == .mandatory ? "; it must lead somewhere" : ""
            return "\(name) of \(subject) leads to a row that is gone\(rest). Restore that first, or skip it."
        case .endTaken: return "\(name) of \(subject) leads to a row that has another one now; clear that, or skip it."
        case .joinedEndGone:
            return
                "\(count.grouped) links of \(name) join \(objects) with rows that are gone; restore those first, or skip "
                + "the links."
        case .survivorGone: return "\(subject) had \(name) and is gone; restore it first, or skip it."
        case .survivorRelinked: return "\(name) of \(subject) leads elsewhere now; clear it first, or skip it."
        case .fileMissing:
            return "A file beside the store with a value of \(subject) is missing; bring it back from a copy, or skip."
        }
    }
}

/// A delete that cannot be kept or restored. Nothing was written.
package enum RecoveryError: Error, Hashable {
    /// No kept delete has the token: it was restored or purged, or another store has it.
    case unknownToken(RecoveryToken)
    case tokenInUse(RecoveryToken)
    /// It was kept when the file was of another model.
    case otherModel(RecoveryToken)
    case conflicts([RestoreConflict])
}

extension RecoveryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownToken(let token):
            "No delete is kept under \(token); it was restored or purged, or belongs to another store."
        case .tokenInUse(let token): "Nothing was deleted: another delete is kept under \(token); use a new token."
        case .otherModel(let token):
            "Nothing was restored: delete \(token) was kept with another model than the file has now; purge it, or go "
                + "back to a copy of the file."
        case .conflicts(let conflicts):
            Self.text(conflicts) { $0.description }
        }
    }

    /// The conflicts that prevented a restore.
    package static func text(_ conflicts: [RestoreConflict], _ text: (RestoreConflict) -> String) -> String {
        "Nothing was restored. " + conflicts.prefix(5).map(text).joined(separator: " ")
    }
}
