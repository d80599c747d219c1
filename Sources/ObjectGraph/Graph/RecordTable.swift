/// Records by identity. A hash table that stores only the records, eight bytes each, because every record has its
/// identity: with a million records, a dictionary's copies of the keys would be a tenth of all memory.
///
/// A record is at the place of its identity's hash, or at the next free one after it; there must be no free place
/// between the two. A record's identity must not change while it is in the table.
struct RecordTable {
    /// At most three quarters are occupied.
    private var places: [Record?] = []
    private(set) var count = 0

    private static let leastPlaces = 16

    var all: RecordSequence { RecordSequence(places: places) }

    subscript(id: ObjectID) -> Record? {
        places.isEmpty ? nil : places[place(of: id)]
    }

    func object(of id: ObjectID) -> AnyObject? {
        guard !places.isEmpty, let record = places[place(of: id)], !record.isFault else { return nil }
        return record.object
    }

    /// - Returns: The former record of the same identity.
    mutating func insert(_ record: Record) -> Record? {
        reserve(1)
        let place = place(of: record.id)
        let former = places[place]
        places[place] = record
        if former == nil { count += 1 }
        return former
    }

    /// Returns the record of an identity; inserts a new one if there is none.
    mutating func record(of id: ObjectID, orInsert make: () -> Record) -> Record {
        reserve(1)
        let place = place(of: id)
        if let record = places[place] { return record }
        let record = make()
        places[place] = record
        count += 1
        return record
    }

    mutating func remove(_ id: ObjectID) {
        guard !places.isEmpty else { return }
        var free = place(of: id)
        guard places[free] != nil else { return }
        places[free] = nil
        count -= 1
        // Records behind the new gap move into it, unless it precedes the place of their hash.
        var next = after(free)
        while let record = places[next] {
            if distance(from: home(of: record.id), to: next) >= distance(from: free, to: next) {
                places[free] = record
                places[next] = nil
                free = next
            }
            next = after(next)
        }
    }

    /// Removes records, which must be in the table.
    mutating func remove(_ records: [Record]) {
        guard 8 * records.count > count else { return records.forEach { remove($0.id) } }
        // Inserting the other records again is cheaper than closing this many gaps one by one.
        for record in records {
            guard let place = place(holding: record) else { continue }
            places[place] = nil
            count -= 1
        }
        rearrange(in: places.count)
    }

    /// Reserves places for more records. Reserves few additional ones for large numbers, so that few places stay empty.
    mutating func reserve(_ more: Int) {
        guard 4 * (count + more) > 3 * places.count else { return }
        let few = more / 32
        rearrange(in: max(Self.leastPlaces, 3 * places.count / 2, (4 * (count + more + few) + 2) / 3))
    }

    private mutating func rearrange(in capacity: Int) {
        var old = places
        places = Array(repeating: nil, count: capacity)
        for index in old.indices {
            guard let record = old[index].take() else { continue }
            places[freePlace(for: record.id)] = record
        }
    }

    // MARK: Places

    /// Returns the place of the identity's record, or the one where it would be inserted.
    private func place(of id: ObjectID) -> Int {
        var place = home(of: id)
        while let record = places[place], record.id != id { place = after(place) }
        return place
    }

    /// Returns the free place for an identity that is not in the table.
    private func freePlace(for id: ObjectID) -> Int {
        var place = home(of: id)
        while places[place] != nil { place = after(place) }
        return place
    }

    /// Returns the place of the record itself, even with gaps before it.
    private func place(holding record: Record) -> Int? {
        var place = home(of: record.id)
        for _ in places.indices {
            if places[place] === record { return place }
            place = after(place)
        }
        return nil
    }

    /// Keys are mostly consecutive; multiples of the golden ratio spread them. The upper bits are the place.
    private func home(of id: ObjectID) -> Int {
        let bits = UInt64(bitPattern: id.key) ^ (UInt64(id.space.number) << 40)
        let spread = bits &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: spread.multipliedFullWidth(by: UInt64(places.count)).high)
    }

    private func after(_ place: Int) -> Int { place + 1 == places.count ? 0 : place + 1 }

    private func distance(from start: Int, to end: Int) -> Int {
        end >= start ? end - start : end - start + places.count
    }
}

/// The records of a table, unaffected by later changes of it.
struct RecordSequence: Sequence, IteratorProtocol {
    fileprivate let places: [Record?]
    private var place = 0

    fileprivate init(places: [Record?]) { self.places = places }

    mutating func next() -> Record? {
        while place < places.count {
            let record = places[place]
            place += 1
            if record != nil { return record }
        }
        return nil
    }
}
