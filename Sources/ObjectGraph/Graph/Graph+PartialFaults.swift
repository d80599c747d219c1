/// Rows of which a fetch reads only some slots. Their records stay faults that carry the values read: any access to a
/// value checks for faults first, so completely read records have no extra cost.
///
/// Carried values are discarded by anything that would turn a read object into a fault, or change it. The row is then
/// read at the next access, like that of any fault.
struct CarriedValues {
    /// Ascending; all rows of one fetch share the array.
    let slots: [Int]
    /// One value for each slot.
    let values: SlotValues

    subscript(slot: Int) -> Value? { slots.firstIndex(of: slot).map { values[$0] } }
}

extension Record {
    /// Whether a fault has the values of these slots; false if there are none.
    package func carries(_ slots: Range<Int>) -> Bool {
        guard !slots.isEmpty, let carried else { return false }
        return slots.allSatisfy { carried.slots.contains($0) }
    }

    /// Returns a fault's value, like `value(_:)`.
    @inline(never)
    func valueOfFault(_ slot: Int) -> Value {
        if let value = carried?[slot] { return value }
        fire()
        return slot < values.count ? values[slot] : .null
    }

    /// Returns a fault's values, like `values(_:)`.
    @inline(never)
    func valuesOfFault(_ slots: Range<Int>) -> Slice<SlotValues> {
        if carries(slots) { return carriedRow()[slots] }
        fire()
        return slots.upperBound <= values.count ? values[slots] : SlotValues()[...]
    }

    /// Returns the known values of a fault's row, in slot order; null for unknown ones.
    func carriedRow() -> SlotValues {
        var row = SlotValues(nulls: entity.slots.count)
        guard let carried else { return row }
        for (slot, value) in zip(carried.slots, carried.values) where slot < row.count { row[slot] = value }
        return row
    }
}

extension Graph {
    /// Reads the query's slots of the faults among these records, if the store supports that; otherwise whole rows.
    /// - Complexity: One statement, regardless of the number of records.
    package func firePartialFaults(_ records: [Record], of query: Query) throws {
        guard let slots = query.slots, let store, deletes.bulk.isEmpty else { return try fire(records) }
        let faults = records.filter { $0.isFault && $0.carried?.slots != slots }
        guard !faults.isEmpty else { return }
        var parts = Query(entityIndex: query.entityIndex)
        parts.slots = slots
        parts.predicate = .isMember(.identity(.variable(.root)), of: faults.map { .reference($0.id) })
        guard let found = try store.fetchPartialRows(parts) else { return try fire(faults) }
        _ = try registerPartialRows(found, slots, store)
        // Rows that were not found do not exist.
        try fire(faults.filter { $0.carried == nil })
    }

    /// Returns records of rows that were read in part. Completely read records stay so; if a row has another version
    /// than its record, the row is read again.
    ///
    /// There must be no pending bulk delete, because it is not applied to carried values.
    /// - Parameter slots: The slots read, ascending.
    /// - Complexity: One more statement if rows have other versions than their records.
    func registerPartialRows(_ parts: [Snapshot], _ slots: [Int], _ store: any Store) throws -> [Record] {
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
        if record.version != version { discardCarriedValues(of: record) }
        record.carried = values
        record.version = version
    }

    /// Discards the carried values of a row that has changed.
    func discardCarriedValues(of record: Record) {
        guard record.carried != nil else { return }
        record.observer?.willChange(record, relationship: nil)
        record.carried = nil
        record.observer?.didChange(record, relationship: nil)
    }

    /// Discards the carried values of a fault that refers to one of these rows according to them.
    func discardCarriedValues(of record: Record, referencing rows: RowSet) {
        let refers = record.carried?.values.contains { value in
            if case .reference(let id) = value { rows.contains(id) } else { false }
        }
        if refers == true { discardCarriedValues(of: record) }
    }
}
