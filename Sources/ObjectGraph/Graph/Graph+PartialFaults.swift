/// Rows of which a fetch reads some slots only. Their records are faults that carry what was read: as the check for faults
/// comes first wherever a value is asked for, a record that was read whole pays nothing for this.
///
/// What is carried is given up with anything that would make an object that was read a fault, or another one: the row is
/// then read when it is next used, as that of any fault.
struct CarriedValues {
    /// Ascending; of all rows of one fetch the same array.
    let slots: [Int]
    /// One for each of them.
    let values: SlotValues

    subscript(slot: Int) -> Value? { slots.firstIndex(of: slot).map { values[$0] } }
}

extension Record {
    /// Whether a fault knows the values of these slots; it is never said to know those of none.
    package func carries(_ slots: Range<Int>) -> Bool {
        guard !slots.isEmpty, let carried else { return false }
        return slots.allSatisfy { carried.slots.contains($0) }
    }

    /// As `value(_:)`, for a fault.
    @inline(never)
    func valueOfFault(_ slot: Int) -> Value {
        if let value = carried?[slot] { return value }
        fire()
        return slot < values.count ? values[slot] : .null
    }

    /// As `values(_:)`, for a fault.
    @inline(never)
    func valuesOfFault(_ slots: Range<Int>) -> Slice<SlotValues> {
        if carries(slots) { return carriedRow()[slots] }
        fire()
        return slots.upperBound <= values.count ? values[slots] : SlotValues()[...]
    }

    /// What is known of a fault's row, in slot order; null where nothing is.
    func carriedRow() -> SlotValues {
        var row = SlotValues(nulls: entity.slots.count)
        guard let carried else { return row }
        for (slot, value) in zip(carried.slots, carried.values) where slot < row.count { row[slot] = value }
        return row
    }
}

extension Graph {
    /// Has the faults among these records carry the slots that the query asks for, where the store gives them; else they are
    /// read whole.
    /// - Complexity: One statement, whatever the number of records.
    package func fireParts(_ records: [Record], of query: Query) throws {
        guard let slots = query.slots, let store, deletes.bulk.isEmpty else { return try fire(records) }
        let faults = records.filter { $0.isFault && $0.carried?.slots != slots }
        guard !faults.isEmpty else { return }
        var parts = Query(entityIndex: query.entityIndex)
        parts.slots = slots
        parts.predicate = .isMember(.identity(.variable(.root)), of: faults.map { .reference($0.id) })
        guard let found = try store.fetchParts(parts) else { return try fire(faults) }
        _ = try registerParts(found, slots, store)
        // What was not found is gone.
        try fire(faults.filter { $0.carried == nil })
    }

    /// Records of rows that were read in part. Those known whole stay so: where the row is another one by now, it is read
    /// again.
    ///
    /// No planned delete must wait: what is carried knows nothing of one.
    /// - Parameter slots: what was read, ascending.
    /// - Complexity: One statement more where rows are another version than the objects that were read of them.
    func registerParts(_ parts: [Snapshot], _ slots: [Int], _ store: any Store) throws -> [Record] {
        identityMap.reserve(parts.count)
        var records: [Record] = []
        records.reserveCapacity(parts.count)
        var outdated: [ObjectID] = []
        for part in parts {
            guard let entity = entity(of: part.id) else { continue }
            let record = identityMap.record(of: part.id) { Record(id: part.id, entity: entity) }
            record.graph = self
            records.append(record)
            if record.isFault {
                carry(CarriedValues(slots: slots, values: part.values), part.version, record)
            } else if record.version != part.version {
                outdated.append(record.id)
            }
        }
        if !outdated.isEmpty { _ = try register(store.snapshots(of: outdated)) }
        return records
    }

    private func carry(_ values: CarriedValues, _ version: RowVersion, _ record: Record) {
        if record.version != version { forgetCarried(of: record) }
        record.carried = values
        record.version = version
    }

    /// The rows of these faults are others now, or may be.
    func forgetCarried(of ids: [ObjectID]) {
        for id in ids {
            if let record = identityMap[id] { forgetCarried(of: record) }
        }
    }

    /// The row is another one now.
    func forgetCarried(of record: Record) {
        guard record.carried != nil else { return }
        record.observer?.willChange(record, relationship: nil)
        record.carried = nil
        record.observer?.didChange(record, relationship: nil)
    }

    /// The same for a fault that leads to one of these rows, as far as it knows.
    func forgetCarried(of record: Record, leadingTo rows: RowSet) {
        let leads = record.carried?.values.contains { value in
            if case .reference(let id) = value { rows.contains(id) } else { false }
        }
        if leads == true { forgetCarried(of: record) }
    }
}
