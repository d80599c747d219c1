extension Graph {
    /// Takes back all unsaved work: inserted objects leave the graph, edited and deleted ones are as last saved.
    package func rollback() {
        let touched = pending.touched
        let gone = deletedElsewhere
        pending.removeAll()
        readAhead = DeleteReadAhead()
        announced = []
        postponedDeletes = []
        unspread = []
        deletedElsewhere = []
        takenElsewhere = []
        reservedIDs = []
        deletesWantSpreading = false
        unreadable = []
        for record in touched where record.hasChanges {
            if gone.contains(record.id) {
                // Others deleted the row: there is nothing to go back to.
                markGone(record)
            } else {
                record.isInserted ? forget(record) : restore(record)
            }
        }
        // Last: deleted objects keep what was read of them, and nothing is deleted any more.
        replacePlanned(by: PlannedDeletes())
    }

    private func forget(_ record: Record) {
        record.status = []
        record.toMany = []
        for relationship in record.entity.relationships {
            if let slot = relationship.slot, slot < record.values.count { record.values[slot] = .null }
        }
        identityMap.remove(record.id)
        record.graph = nil
        record.object = nil
    }

    func restore(_ record: Record) {
        record.observer?.willChange(record, relationship: nil)
        if let committed = record.committed { record.values = committed }
        record.committed = nil
        for index in record.toMany.indices { record.toMany[index].discardEdits() }
        record.status.subtract([.updated, .deleted])
        record.observer?.didChange(record, relationship: nil)
    }
}
