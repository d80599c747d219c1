extension Graph {
    /// Takes back all unsaved work: inserted objects leave the graph, edited and deleted ones are as last saved.
    package func rollback() {
        let touched = pending.touched
        replacePlanned(by: PlannedDeletes())
        pending.removeAll()
        readAhead = DeleteReadAhead()
        announced = []
        postponedDeletes = []
        deletesWantSpreading = false
        unreadable = []
        for record in touched where record.hasChanges {
            record.isInserted ? forget(record) : restore(record)
        }
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

    private func restore(_ record: Record) {
        record.observer?.willChange(record, relationship: nil)
        if let committed = record.committed { record.values = committed }
        record.committed = nil
        for index in record.toMany.indices { record.toMany[index].discardEdits() }
        record.status.subtract([.updated, .deleted])
        record.observer?.didChange(record, relationship: nil)
    }
}
