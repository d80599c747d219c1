/// One record per identity: what a graph knows.
///
/// Registered records own their objects. Objects nobody else holds are dropped by `sweep`, which runs when the map has
/// doubled since the last one, so that it costs a constant share per registration and a long-lived graph stays as small
/// as what is in use.
struct IdentityMap {
    private var records = RecordTable()
    private var sweepAt = IdentityMap.leastSweep
    private static let leastSweep = 4096
    /// Whether any of the records has been observed. Then delete rules are followed at once, so that observers are notified.
    var isObserved = false

    var count: Int { records.count }
    var all: some Collection<Record> { records.all }
    var wantsSweep: Bool { records.count >= sweepAt }

    subscript(id: ObjectID) -> Record? { records[id] }

    /// The object of a record that is there and no fault, if it has one.
    func object(of id: ObjectID) -> AnyObject? { records.object(of: id) }

    mutating func insert(_ record: Record) {
        if let evicted = records.insert(record), evicted !== record { evicted.graph = nil }
    }

    /// - Parameter make: makes the record when there is none; is not to use the map.
    mutating func record(of id: ObjectID, orInsert make: () -> Record) -> Record {
        records.record(of: id, orInsert: make)
    }

    mutating func remove(_ id: ObjectID) {
        records.remove(id)
    }

    /// The same for many, which must be there.
    mutating func remove(_ records: [Record]) {
        self.records.remove(records)
    }

    mutating func reserve(_ count: Int) {
        records.reserve(count)
    }

    /// Takes out the unchanged records whose objects nobody but the map holds; they are of no graph then. Their objects are
    /// still there: letting go of one may run a program's `deinit`, which must find the map in order.
    mutating func takeUnused() -> [Record] {
        var unused: [Record] = []
        for record in records.all {
            // Those who observe an object wait for it even if they do not hold it.
            if record.hasChanges || record.isAwaited || record.isObjectHeldElsewhere { continue }
            record.graph = nil
            unused.append(record)
        }
        records.remove(unused)
        sweepAt = max(Self.leastSweep, 2 * records.count)
        return unused
    }
}

extension Record {
    /// Whether somebody besides this record holds the object.
    var isObjectHeldElsewhere: Bool {
        guard object != nil else { return false }
        return !isKnownUniquelyReferenced(&object)
    }
}
