/// Reads rows for objects that outlive their graph. Called in the isolation in which those objects are used.
package protocol RowLender: AnyObject, Sendable {
    /// Returns the stored row of an object.
    /// - Returns: `nil` if there is none.
    /// - Throws: An error if it cannot be read at present.
    func snapshot(of id: ObjectID) throws -> Snapshot?
    /// An object was edited that no graph will save.
    func willNotSave(_ id: ObjectID)
}

extension Graph {
    /// Gives the lender to objects that are still referenced when the graph is deallocated.
    func passLender(to records: [Record]) {
        guard let lender else { return }
        for record in records where !record.isGone && !record.wasNeverSaved && record.hasOtherReferences {
            record.lender = lender
        }
    }
}

extension Record {
    /// Reads the values of a fault without a graph. If the row does not exist, the record is marked as gone; if it
    /// cannot be read at present, the record stays a fault.
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
