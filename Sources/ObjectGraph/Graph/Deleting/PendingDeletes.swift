extension UnsavedChanges {
    /// All pending deletions as one value: objects and sets of rows, their causes, and whether the delete rules have been
    /// followed from them.
    ///
    /// `Record.Status.deleted` repeats for each registered record whether there is a cause, as this is asked everywhere.
    /// `add(_:to:)` sets it, and `undelete(_:from:)` removes it.
    struct PendingDeletes {
        /// Bulk deletes: sets of rows, hidden until the save deletes them.
        var bulk = BulkDeletes()
        /// Objects marked for deletion from which the delete rules have not been followed yet.
        var unresolved: [Record] = []
        /// Whether the rules are followed from these before any result that may depend on them.
        var resolvesWhenAsked = false
        /// Whether rows of deleted objects have changed since the delete rules were followed from them.
        var needsPropagation = false
        /// Deleted objects in the order of their deletion.
        private var list = PendingList()
        /// The causes other than bulk deletes, which have their own set of rows.
        private var singleCauses: [ObjectID: DeleteCauses] = [:]

        /// All deleted objects that are registered.
        var records: [Record] { list.records.keeping { $0.isDeleted } }
        /// These, and objects whose deletion has ended since.
        var listed: [Record] { list.records }
        var isEmpty: Bool { bulk.isEmpty && !list.records.contains { $0.isDeleted } }

        func causes(of id: ObjectID) -> DeleteCauses {
            let single = singleCauses[id] ?? []
            return !bulk.isEmpty && bulk.deleted.contains(id) ? single.union(.bulk) : single
        }

        /// Whether another context deleted the row of an object pending deletion.
        func isRemote(_ id: ObjectID) -> Bool { singleCauses[id]?.contains(.remote) ?? false }

        /// Whether the save deletes the object's row individually: not in a bulk delete, and no other context deleted it.
        func isOwn(_ record: Record) -> Bool { causes(of: record.id).isDisjoint(with: [.bulk, .remote]) }

        /// Returns the identities of objects with any of the causes, which must not be `bulk`.
        /// - Complexity: O(n) in the number of objects deleted otherwise than by bulk deletes.
        func ids(deletedBy causes: DeleteCauses) -> [ObjectID] {
            singleCauses.lazy.filter { !$0.value.isDisjoint(with: causes) }.map(\.key)
        }

        // MARK: Changing

        /// Adds a cause for the deletion of a record; `bulk` is for rows of bulk deletes.
        mutating func add(_ cause: DeleteCauses, to record: Record) {
            if cause != .bulk { singleCauses[record.id, default: []].formUnion(cause) }
            guard !record.isDeleted else { return }
            record.status.insert(.deleted)
            list.append(record)
        }

        /// Ends causes for the deletion of a record. Without another cause, it is not pending deletion any more.
        /// - Returns: Whether that is so, and it was pending deletion before.
        @discardableResult
        mutating func undelete(_ record: Record, from ended: DeleteCauses = .all) -> Bool {
            guard record.isDeleted else { return false }
            let rest = causes(of: record.id).subtracting(ended)
            if !singleCauses.isEmpty {
                let single = rest.subtracting(.bulk)
                singleCauses[record.id] = single.isEmpty ? nil : single
            }
            guard rest.isEmpty else { return false }
            record.status.remove(.deleted)
            list.remove(record)
            return true
        }

        /// Adapts to a record's new identity.
        mutating func rename(_ former: ObjectID, to id: ObjectID) {
            if let causes = singleCauses.removeValue(forKey: former) { singleCauses[id] = causes }
        }
    }
}
