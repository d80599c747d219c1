/// A rule of the model that unsaved changes violate. Without text; the faces add Apple's codes.
package enum ValidationError: Error, Hashable {
    /// A mandatory property is nil.
    case missingValue(ObjectID, property: String)
    /// A property was set to a value that cannot be stored, and kept its former one.
    case unwritableValue(ObjectID, property: String)
    case tooFew(ObjectID, relationship: String, count: Int, minimum: Int)
    case tooMany(ObjectID, relationship: String, count: Int, maximum: Int)
    /// `blockers` are at most five of the objects that prevent the deletion.
    case deniedDelete(ObjectID, relationship: String, blockerCount: Int, blockers: [ObjectID])
    case several([ValidationError])

    /// Returns one error for a list of them; `nil` for none.
    static func combined(_ errors: [ValidationError]) -> ValidationError? {
        errors.count > 1 ? .several(errors) : errors.first
    }
}

extension ValidationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingValue(let id, let property):
            "'\(id.entityName).\(property)' of \(id) must have a value; set one or make the property optional."
        case .unwritableValue(let id, let property):
            "'\(id.entityName).\(property)' of \(id) was given a value that cannot be stored: its 'encode(to:)' throws, or "
                + "its value transformer refuses it or is not registered; set another one, or roll back."
        case .tooFew(let id, let relationship, let count, let minimum):
            "'\(id.entityName).\(relationship)' of \(id) has \(count) objects and needs at least \(minimum)."
        case .tooMany(let id, let relationship, let count, let maximum):
            "'\(id.entityName).\(relationship)' of \(id) has \(count) objects and may have at most \(maximum)."
        case .deniedDelete(let id, let relationship, let count, let blockers):
            "\(id) cannot be deleted while '\(id.entityName).\(relationship)' has \(count) "
                + "object\(count == 1 ? "" : "s") (\(blockers.map(\.description).joined(separator: ", "))"
                + "\(count > blockers.count ? ", …" : "")); delete or unlink them first."
        case .several(let errors):
            "\(errors.count) problems: " + errors.prefix(5).map(\.description).joined(separator: " ")
        }
    }
}

extension ValidationError {
    /// The errors that it combines, or the error itself.
    package var single: [ValidationError] {
        if case .several(let errors) = self { errors.flatMap(\.single) } else { [self] }
    }
}
