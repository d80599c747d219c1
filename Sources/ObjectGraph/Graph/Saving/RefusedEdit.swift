/// An edit that a graph refused in a call that cannot throw. The next save throws it, so that no edit is lost silently.
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

extension RefusedEdit: CustomStringConvertible {
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

/// The refused edits that have not been resolved, in the order in which they were made.
struct RefusedEdits {
    private struct Entry {
        let refusedEdit: RefusedEdit
        /// The edited object, and the one that it was to be linked to. Retained, so that their addresses are not
        /// reused, and only compared, because either may belong to another isolation.
        let record: Record
        let other: Record?
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    var edits: [RefusedEdit] { entries.map(\.refusedEdit) }

    /// Replaces an earlier refusal of the same edit.
    mutating func add(_ refusedEdit: RefusedEdit, of record: Record, with other: Record?) {
        entries.removeAll { $0.record === record && $0.refusedEdit.edit == refusedEdit.edit }
        entries.append(Entry(refusedEdit: refusedEdit, record: record, other: other))
    }

    /// Resolves an edit that was accepted, perhaps with another value.
    mutating func resolve(_ edit: RefusedEdit.Edit, of record: Record) {
        entries.removeAll { $0.record === record && $0.refusedEdit.edit == edit }
    }

    /// Removes refused links of deleted objects. The owners of links never belong to another isolation.
    mutating func discardLinksOfDeleted() {
        entries.removeAll { entry in
            guard case .link = entry.refusedEdit.edit else { return false }
            return entry.record.isDeleted || entry.record.isGone
        }
    }

    /// Removes the refused insertion of an object that is not to be inserted after all.
    /// - Returns: Whether there was one.
    mutating func withdraw(_ record: Record) -> Bool {
        let count = entries.count
        entries.removeAll { $0.refusedEdit.edit != .deletion && ($0.record === record || $0.other === record) }
        return entries.count < count
    }

    /// Removes all entries of an object that is deleted or reverted.
    mutating func resolveAll(of record: Record) {
        entries.removeAll { $0.record === record || $0.other === record || $0.refusedEdit.id == record.id }
    }

    /// Moves the refused edits of these objects here from the graph that they moved from.
    mutating func take(from other: RefusedEdits, of records: [Record]) {
        let moved = Set(records.map(ObjectIdentifier.init))
        entries += other.entries.filter { moved.contains(ObjectIdentifier($0.record)) }
    }

    mutating func removeAll() { entries = [] }
}
