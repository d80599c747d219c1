/// Records by identity. A hash table that holds nothing but the records, eight bytes each, as every record knows its
/// identity: with a million of them, a dictionary's copies of the keys would be a tenth of all memory.
///
/// A record stands at the place its identity's hash gives, or the next free one after it; so no free place may come
/// between the two. A record's identity must not change while it is in the table.
struct RecordTable {
    /// At most three quarters of them are taken.
    private var places: [Record?] = []
    private(set) var count = 0

    private static let leastPlaces = 16

    var all: some Collection<Record> { places.lazy.compactMap { $0 } }

    subscript(id: ObjectID) -> Record? {
        places.isEmpty ? nil : places[place(of: id)]
    }

    func object(of id: ObjectID) -> AnyObject? {
        guard !places.isEmpty, let record = places[place(of: id)], !record.isFault else { return nil }
        return record.object
    }

    /// - Returns: the record of the same identity that was there.
    mutating func insert(_ record: Record) -> Record? {
        reserve(1)
        let place = place(of: record.id)
        let former = places[place]
        places[place] = record
        if former == nil { count += 1 }
        return former
    }

    /// The record of an identity; where there is none, the one that is made.
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
        // Those behind the new gap move into it, unless it lies before the place they belong at.
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

    /// Takes out records that are there.
    mutating func remove(_ records: [Record]) {
        guard 8 * records.count > count else { return records.forEach { remove($0.id) } }
        // With so many, putting the others in anew costs less than closing the gaps one by one.
        for record in records {
            guard let place = place(holding: record) else { continue }
            places[place] = nil
            count -= 1
        }
        rearrange(in: places.count)
    }

    /// Makes room for so many more: for not many others when they are many, so that little room stays empty.
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

    /// Where the identity's record is, or else would be.
    private func place(of id: ObjectID) -> Int {
        var place = home(of: id)
        while let record = places[place], record.id != id { place = after(place) }
        return place
    }

    /// The same for an identity that is not there.
    private func freePlace(for id: ObjectID) -> Int {
        var place = home(of: id)
        while places[place] != nil { place = after(place) }
        return place
    }

    /// Where the record itself is, gaps before it or not.
    private func place(holding record: Record) -> Int? {
        var place = home(of: record.id)
        for _ in places.indices {
            if places[place] === record { return place }
            place = after(place)
        }
        return nil
    }

    /// Keys mostly follow each other, and multiples of the golden ratio lie far apart; their upper bits are the place.
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
