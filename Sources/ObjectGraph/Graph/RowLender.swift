/// Reads rows for objects that outlive their graph. Called where those objects are used, which may be anywhere.
package protocol RowLender: AnyObject, Sendable {
    /// The row of an object, as it is stored now.
    /// - Returns: `nil` when there is none.
    /// - Throws: When it cannot be read now.
    func snapshot(of id: ObjectID) throws -> Snapshot?
    /// An object was edited that no graph will save.
    func willNotSave(_ id: ObjectID)
}

extension Graph {
    /// Leaves the lender to the objects that are still referenced when the graph is deallocated.
    func leaveLender(to records: [Record]) {
        guard let lender else { return }
        for record in records where !record.isGone && !record.wasNeverSaved && record.isObjectHeldElsewhere {
            record.lender = lender
        }
    }
}

extension Record {
    /// Reads the values of a fault that has no graph any more. A row that is gone leaves a record that says so; one that
    /// cannot be read now leaves a fault.
    @inline(never)
    func fireWithoutGraph() {
        guard isFault, let lender else { return }
        let found: Snapshot?
        do {
            found = try lender.snapshot(of: id)
        } catch {
            // The lender has reported it.
            return
        }
        values = found?.values ?? carriedRow()
        version = found?.version ?? version
        carried = nil
        status = found == nil ? .gone : []
    }
}
