/// How a restore treats conflicts.
package enum RestoreRule: Sendable, Hashable {
    /// The restore changes nothing if there is any conflict.
    case strict
    /// The restore leaves out conflicting rows and links, and rows that require them. These stay archived.
    case skippingConflicts
}

/// Rows or links that cannot be restored for one reason; without values.
package struct RestoreConflict: Sendable, Hashable {
    package let reason: Reason
    package let entity: String
    /// The relationship concerned, if any.
    package let relationship: String?
    /// The number of rows or links.
    package let count: Int
    /// At most five of the rows.
    package let examples: [ObjectID]

    package enum Reason: Sendable, Hashable {
        /// Another row has the archived row's primary key.
        case keyInUse
        /// Another row has the archived row's values of these unique properties.
        case notUnique(properties: [String])
        /// The destination of the archived row's reference existed, but was deleted meanwhile.
        case destinationRowMissing(Need)
        /// The destination of the archived row's one-to-one reference refers to another row meanwhile.
        case destinationInUse(Need)
        /// One of the two rows that a many-to-many link joined was deleted meanwhile.
        case joinedRowMissing
        /// The row whose reference was nullified was deleted meanwhile.
        case survivorMissing
        /// The row whose reference was nullified refers to another destination meanwhile.
        case survivorRefersElsewhere
        /// An external file with one of the archived row's values is missing.
        case fileMissing
    }

    package enum Need: Sendable, Hashable {
        case optional
        /// The reference is required, so the row is left out, too.
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

    /// - Parameter name: Returns the displayed name of an example.
    package func text(naming name: (ObjectID) -> String) -> String {
        let objects = examples.map(name).joined(separator: ", ") + (count > examples.count ? ", …" : "")
        let subject = "\(count.grouped) '\(entity)' (\(objects))"
        let name = "'\(entity).\(relationship ?? "?")'"
        switch reason {
        case .keyInUse: return "The key of \(subject) is in use again; delete the row that has it."
        case .notUnique(let properties):
            return "Another row has the \(properties.joined(separator: ", ")) of \(subject), which must be unique; "
                + "change it there."
        case .destinationRowMissing(let need):
            let rest = need == .mandatory ? "; it must have a destination" : ""
            return "\(name) of \(subject) references a row that is gone\(rest). Restore that first, or skip it."
        case .destinationInUse:
            return "\(name) of \(subject) references a row that another one references now; clear that, or skip it."
        case .joinedRowMissing:
            return
                "\(count.grouped) links of \(name) join \(objects) with rows that are gone; restore those first, or skip "
                + "the links."
        case .survivorMissing: return "\(subject) had \(name) and is gone; restore it first, or skip it."
        case .survivorRefersElsewhere:
            return "\(name) of \(subject) references another row now; clear it first, or skip it."
        case .fileMissing:
            return "A file beside the store with a value of \(subject) is missing; bring it back from a copy, or skip."
        }
    }
}

/// A deletion that cannot be archived or restored. Nothing was written.
package enum RecoveryError: Error, Hashable {
    /// No archived deletion has the token: it was restored or discarded, or is in another store.
    case unknownToken(RecoveryToken)
    case tokenInUse(RecoveryToken)
    /// It was archived when the file had another model.
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

    /// Describes the conflicts that prevented a restore.
    package static func text(_ conflicts: [RestoreConflict], _ text: (RestoreConflict) -> String) -> String {
        "Nothing was restored. " + conflicts.prefix(5).map(text).joined(separator: " ")
    }
}
