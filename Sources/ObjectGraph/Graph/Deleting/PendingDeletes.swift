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
        /// The causes of deleted objects that were not only deleted explicitly, as most are; without `bulk`, which has its
        /// own set of rows.
        private var otherCauses: [RecordKey: DeleteCauses] = [:]

        /// All deleted objects that are registered.
        var records: [Record] { list.records.keeping { $0.isDeleted } }
        /// These, and objects whose deletion has ended since.
        var listed: [Record] { list.records }
        var isEmpty: Bool { bulk.isEmpty && !list.records.contains { $0.isDeleted } }

        func causes(of record: Record) -> DeleteCauses {
            let single = singleCauses(of: record)
            return !bulk.isEmpty && bulk.deleted.contains(record.id) ? single.union(.bulk) : single
        }

        /// Whether another context deleted the row of an object pending deletion.
        func isRemote(_ record: Record) -> Bool { singleCauses(of: record).contains(.remote) }

        /// Whether the save deletes the object's row individually: not in a bulk delete, and no other context deleted it.
        func isOwn(_ record: Record) -> Bool { causes(of: record).isDisjoint(with: [.bulk, .remote]) }

        /// Returns objects with any of the causes, which must not be `bulk`, in the order of their deletion.
        /// - Complexity: O(n) in the number of deleted objects.
        func records(deletedBy causes: DeleteCauses) -> [Record] {
            list.records.filter { !singleCauses(of: $0).isDisjoint(with: causes) }
        }

        private func singleCauses(of record: Record) -> DeleteCauses {
            record.isDeleted ? otherCauses[RecordKey(record)] ?? .explicit : []
        }

        // MARK: Changing

        /// Adds a cause for the deletion of a record; `bulk` is for rows of bulk deletes.
        mutating func add(_ cause: DeleteCauses, to record: Record) {
            setCauses(singleCauses(of: record).union(cause), of: record)
            guard !record.isDeleted else { return }
            record.status.insert(.deleted)
            list.append(record)
        }

        /// Ends causes for the deletion of a record. Without another cause, it is not pending deletion any more.
        /// - Returns: Whether that is so, and it was pending deletion before.
        @discardableResult
        mutating func undelete(_ record: Record, from ended: DeleteCauses = .all) -> Bool {
            guard record.isDeleted else { return false }
            let rest = causes(of: record).subtracting(ended)
            setCauses(rest.isEmpty ? .explicit : rest, of: record)
            guard rest.isEmpty else { return false }
            record.status.remove(.deleted)
            list.remove(record)
            return true
        }

        private mutating func setCauses(_ causes: DeleteCauses, of record: Record) {
            if causes != .explicit {
                otherCauses[RecordKey(record)] = causes.subtracting(.bulk)
            } else if !otherCauses.isEmpty {
                otherCauses[RecordKey(record)] = nil
            }
        }
    }
}

/// A registered record as a key. Records are hashed by their addresses, which needs no protection against chosen keys.
private struct RecordKey: Hashable {
    private let address: UInt

    init(_ record: Record) { address = UInt(bitPattern: ObjectIdentifier(record)) }

    func _rawHashValue(seed: Int) -> Int { mixed(UInt64(address) ^ UInt64(truncatingIfNeeded: seed)) }
}
