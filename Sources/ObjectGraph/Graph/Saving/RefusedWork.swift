/// An edit that a graph did not make, although its caller could not be thrown an error. The next save throws it, so that
/// nothing is lost in silence.
package struct RefusedWork: Hashable, Sendable {
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

extension RefusedWork: CustomStringConvertible {
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
    /// The object belongs to another context, or to one that is gone.
    case differentContexts(ObjectID)
    case unknownEntity(String)
    /// The model has an entity of this name, for another class.
    case otherClass(String)
    /// An archived deletion deletes the object with others.
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

/// The edits that a graph refused and that nothing has resolved since, in the order they were made.
struct RefusedEdits {
    private struct Entry {
        let work: RefusedWork
        /// The object edited, and the one that it was to be linked with. Held, so that no other record takes the place of
        /// one in memory, and only compared: either may belong to another isolation.
        let record: Record
        let other: Record?
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    var works: [RefusedWork] { entries.map(\.work) }

    /// In place of what was refused of the same edit before.
    mutating func add(_ work: RefusedWork, of record: Record, with other: Record?) {
        entries.removeAll { $0.record === record && $0.work.edit == work.edit }
        entries.append(Entry(work: work, record: record, other: other))
    }

    /// The same edit was accepted, with another value perhaps.
    mutating func resolve(_ edit: RefusedWork.Edit, of record: Record) {
        entries.removeAll { $0.record === record && $0.work.edit == edit }
    }

    /// The links of an object that goes do not matter. Their owners are never of another isolation.
    mutating func forgetLinksOfDeleted() {
        entries.removeAll { entry in
            guard case .link = entry.work.edit else { return false }
            return entry.record.isDeleted || entry.record.isGone
        }
    }

    /// The object is not to be part of the graph after all.
    /// - Returns: whether that had been refused.
    mutating func withdraw(_ record: Record) -> Bool {
        let count = entries.count
        entries.removeAll { $0.work.edit != .deletion && ($0.record === record || $0.other === record) }
        return entries.count < count
    }

    /// The object of this identity goes, or is as it was.
    mutating func resolveAll(of record: Record) {
        entries.removeAll { $0.record === record || $0.other === record || $0.work.id == record.id }
    }

    /// What another graph refused of these objects, which moved from there.
    mutating func take(from other: RefusedEdits, of records: [Record]) {
        let moved = Set(records.map(ObjectIdentifier.init))
        entries += other.entries.filter { moved.contains(ObjectIdentifier($0.record)) }
    }

    mutating func removeAll() { entries = [] }
}
