/// The records of a graph, one for each identity.
///
/// Registered records own their objects. Objects without other references are released by sweeps. A sweep runs when the
/// map has doubled since the last one. So its cost per registration is constant, and a long-lived graph stays as small
/// as the objects in use.
struct IdentityMap {
    private var records = RecordTable()
    /// The number of records after the last sweep.
    private var sweptCount = 0
    static let leastSweep = 4096
    /// Whether any record has been observed. Delete rules are then followed at once, so that observers are notified.
    var isObserved = false

    var count: Int { records.count }
    var all: RecordSequence { records.all }

    /// - Parameter least: Fewer records are not worth a sweep.
    func wantsSweep(from least: Int) -> Bool { records.count >= max(least, 2 * sweptCount) }

    subscript(id: ObjectID) -> Record? { records[id] }

    /// Returns the object of a registered record that is no fault, if it has one.
    func object(of id: ObjectID) -> AnyObject? { records.object(of: id) }

    mutating func insert(_ record: Record) {
        if let evicted = records.insert(record), evicted !== record { evicted.graph = nil }
    }

    /// - Parameter make: Makes the record if there is none. Must not use the map.
    mutating func record(of id: ObjectID, orInsert make: () -> Record) -> Record {
        records.record(of: id, orInsert: make)
    }

    mutating func remove(_ id: ObjectID) {
        records.remove(id)
    }

    /// Removes many records, which must be registered.
    mutating func remove(_ records: [Record]) {
        self.records.remove(records)
    }

    mutating func reserve(_ count: Int) {
        records.reserve(count)
    }

    /// Removes unchanged records whose objects have no other references; they belong to no graph afterwards. Does not
    /// release their objects: that may run a program's `deinit`, which must find the map in a consistent state.
    mutating func removeUnused() -> [Record] {
        var unused: [Record] = []
        for record in records.all {
            // Observers wait for changes of an object even without a reference to it.
            if record.hasChanges || record.isAwaited || record.hasOtherReferences { continue }
            record.graph = nil
            unused.append(record)
        }
        records.remove(unused)
        sweptCount = records.count
        return unused
    }
}

extension Record {
    /// Whether the object has references other than this record's.
    var hasOtherReferences: Bool {
        guard object != nil else { return false }
        return !isKnownUniquelyReferenced(&object)
    }
}
