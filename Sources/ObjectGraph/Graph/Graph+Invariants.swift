/// Invariants that hold between calls. Tests check them after every step. Only registered objects and values already
/// read are examined, so a check changes nothing.
///
/// 1. Every registered record is found by its own identity, belongs to this graph and is not gone.
/// 2. Both ends of a link have it, if both have been read.
/// 3. No live object has a deleted destination, unless the rule at the deleted end keeps the link: `deny` until the
///    save is refused, `noAction` permanently. Links that other contexts made meanwhile stay until the save propagates
///    the deletion.
/// 4. Every record with unsaved changes is in the list of its kind, once.
/// 5. A record is marked as deleted if its deletion has a cause, and only then.
extension Graph {
    /// - Throws: `InvariantViolation` for the first violated invariant.
    package func checkInvariants() throws {
        try checkPending()
        for record in identityMap.all {
            guard identityMap[record.id] === record else { throw InvariantViolation.notFoundByIdentity(record.id) }
            guard record.graph === self, !record.isGone else { throw InvariantViolation.strayRecord(record.id) }
            guard record.isDeleted != deletes.causes(of: record).isEmpty else {
                throw InvariantViolation.markDiffersFromCauses(record.id)
            }
            guard !record.isFault, !record.isDeleted else { continue }
            for relationship in record.entity.relationships { try check(relationship, of: record) }
        }
    }

    private func checkPending() throws {
        for record in deletes.records(deletedBy: .all) where identityMap[record.id] !== record {
            throw InvariantViolation.pendingStray(record.id)
        }
        let lists = [unsaved.inserted, unsaved.updated, unsaved.deleted]
        for record in lists.joined() where identityMap[record.id] !== record {
            throw InvariantViolation.pendingStray(record.id)
        }
        for list in lists where Set(list.map(\.id)).count != list.count {
            throw InvariantViolation.pendingTwice(list.first?.id)
        }
        let known = Set(lists.joined().map(\.id))
        for record in identityMap.all where record.hasChanges && !known.contains(record.id) && !isDetached {
            throw InvariantViolation.changeNotPending(record.id)
        }
    }

    // MARK: Links

    private func check(_ relationship: EntityRelationship, of record: Record) throws {
        guard let destinations = readDestinations(of: record, relationship) else { return }
        guard Set(destinations).count == destinations.count else {
            throw InvariantViolation.destinationTwice(record.id, relationship: relationship.name)
        }
        for id in destinations {
            guard let destination = identityMap[id], !destination.isFault else { continue }
            let inverse = inverse(of: relationship, on: destination)
            if destination.isDeleted {
                if !relationship.losesDeletedDestinations || hasMarkedDeletes { continue }
                throw InvariantViolation.deletedDestination(record.id, relationship: relationship.name, id)
            }
            guard let inverse, let back = readDestinations(of: destination, inverse) else { continue }
            guard back.contains(record.id) else {
                throw InvariantViolation.missingHalf(record.id, relationship: relationship.name, id)
            }
        }
    }

    /// `nil` if the members have not been read.
    private func readDestinations(of record: Record, _ relationship: EntityRelationship) -> [ObjectID]? {
        if let slot = relationship.slot {
            guard slot < record.values.count, case .reference(let id) = record.values[slot] else { return [] }
            return [id]
        }
        guard let index = relationship.toManyIndex else { return nil }
        if record.isInserted, !record.members(index).isRead { return record.members(index).added.all }
        return record.members(index).current
    }
}

/// A violated invariant: an error of this library, not of its user.
package enum InvariantViolation: Error, Hashable {
    case notFoundByIdentity(ObjectID)
    /// The record is registered although it is gone or belongs to another graph.
    case strayRecord(ObjectID)
    case pendingStray(ObjectID)
    case pendingTwice(ObjectID?)
    case changeNotPending(ObjectID)
    case markDiffersFromCauses(ObjectID)
    case destinationTwice(ObjectID, relationship: String)
    case deletedDestination(ObjectID, relationship: String, ObjectID)
    case missingHalf(ObjectID, relationship: String, ObjectID)
}

extension InvariantViolation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notFoundByIdentity(let id): "\(id) is registered but not found by its identity."
        case .strayRecord(let id): "\(id) is registered and no longer lives here."
        case .pendingStray(let id): "\(id) has unsaved changes and is not registered."
        case .pendingTwice(let id):
            "A list of unsaved changes has an object twice, near \(id?.description ?? "its start")."
        case .changeNotPending(let id): "\(id) has unsaved changes that no list contains."
        case .markDiffersFromCauses(let id): "\(id) is marked as deleted without a cause, or the reverse."
        case .destinationTwice(let id, let name): "'\(name)' of \(id) has a destination twice."
        case .deletedDestination(let id, let name, let other): "'\(name)' of \(id) has the deleted \(other)."
        case .missingHalf(let id, let name, let other): "'\(name)' of \(id) has \(other), which does not refer back."
        }
    }
}
