/// Faults that are read together: accessing a value of one reads the whole batch.
final class FaultBatch {
    let ids: [ObjectID]
    /// Relationship paths to prefetch.
    let paths: [[String]]

    init(_ ids: [ObjectID], _ paths: [[String]]) {
        self.ids = ids
        self.paths = paths
    }
}

extension Graph {
    /// Divides faults into batches to be read together, with prefetched relationships. Skips objects that are no
    /// faults.
    /// - Complexity: Reads nothing now. Later, one statement for each batch that is used, and one for each
    ///   relationship.
    package func batch(_ records: [Record], by size: Int, along paths: [[String]]) {
        let faults = records.filter(\.isFault).map(\.id)
        for start in stride(from: 0, to: faults.count, by: max(1, size)) {
            let ids = Array(faults[start..<min(start + max(1, size), faults.count)])
            let batch = FaultBatch(ids, paths)
            for id in ids { batches[id] = batch }
        }
    }

    /// Reads the batch of a fault.
    func fireBatch(of record: Record) {
        guard let batch = batches[record.id] else { return }
        for id in batch.ids { batches[id] = nil }
        let records = batch.ids.compactMap { identityMap[$0] }
        do {
            try fire(records)
            for path in batch.paths { try prefetch(along: path, of: records.filter { !$0.isGone }) }
        } catch {
            face?.report(error)
        }
    }

    /// Removes objects from their batches that are not registered any more.
    func sweepBatches() {
        if !batches.isEmpty { batches = batches.filter { identityMap[$0.key] != nil } }
    }
}
