/// Unsaved changes that cannot be saved. Nothing was written.
package enum SaveError: Error, Hashable, CustomStringConvertible {
    case conflictsPersist
    /// At most five of the objects.
    case editsLost([ObjectID], count: Int)
    /// Refused edits, in the order in which they were made.
    case refused([RefusedEdit])

    package var description: String {
        switch self {
        case .conflictsPersist:
            "Others kept changing the same rows while they were being saved; nothing was written. Try again."
        case .editsLost(let ids, let count):
            "Edits of \(count) objects were not taken, as their rows could not be read "
                + "(\(ids.map(\.description).joined(separator: ", "))); nothing was written. "
                + "Edit them again once the store can be read, or roll back."
        case .refused(let edits):
            "\(edits.prefix(5).map(\.description).joined(separator: " "))"
                + (edits.count > 5 ? " There are \(edits.count - 5) more such edits." : "")
                + " Nothing is saved until the edit is undone: delete the object, set the property to another value, "
                + "or roll back."
        }
    }
}

extension SaveError {
    /// An edit that a graph refused in a call that cannot throw. The next save throws it, so that no edit is lost
    /// silently.
    package struct RefusedEdit: Hashable, Sendable {
        package let edit: Edit
        /// The object that was inserted, deleted or linked.
        package let id: ObjectID
        package let reason: GraphError

        package enum Edit: Hashable, Sendable {
            case insertion
            case deletion
            case link(relationship: String)
        }
    }
}

extension SaveError.RefusedEdit: CustomStringConvertible {
    package var description: String {
        switch edit {
        case .insertion: "\(id) was not inserted: \(reason)"
        case .deletion: "\(id) was not deleted: \(reason)"
        case .link(let relationship): "'\(id.entityName).\(relationship)' of \(id) was not set: \(reason)"
        }
    }
}

/// Why an edit was refused.
package enum GraphError: Error, Hashable, Sendable {
    /// The object belongs to another context, or to a deallocated one.
    case differentContexts(ObjectID)
    case unknownEntity(String)
    /// The model has an entity with this name for another class.
    case otherClass(String)
    /// An archived deletion deletes the object together with others.
    case deletedRecoverably(ObjectID)
}

extension GraphError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .differentContexts(let id):
            "\(id) belongs to another context; fetch it in this one by its identifier, and use that object."
        case .unknownEntity(let name):
            "'\(name)' is not part of the container's schema; add it where the container is made."
        case .otherClass(let name):
            "The container's schema has another class named '\(name)', of another version perhaps; use the class that the "
                + "container was made with."
        case .deletedRecoverably(let id):
            "\(id) is deleted together with others by an archived deletion; roll that back, or restore it after the save."
        }
    }
}
