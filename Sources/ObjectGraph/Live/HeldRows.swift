/// The rows that maintained results hold, by small numbers: their identities and sort values in columns, and a table to
/// find them by identity.
///
/// The columns take eight bytes a row for the key, those of `SortColumn`, and four for the space once there are rows of
/// several; the table some six.
struct HeldRows {
    private var keys: [Int64] = []
    /// The space of all rows, as long as they have one.
    private var onlySpace: IDSpace?
    /// Otherwise the space of each row; empty as long as there is one.
    private var spaces: [IDSpace] = []
    /// One for each sort key. Those of keys that are the row itself stay empty: its identity is known.
    private var columns: [SortColumn]
    private let sort: [SortKey]
    /// Whether each sort key is the row itself.
    private let isIdentity: [Bool]
    /// Unsaved objects that have a permanent identity already.
    private var unsavedWithKey: Set<UInt32> = []
    private var freeNumbers: [UInt32] = []
    /// Open addressing; numbers plus one, 0 for a free place.
    private var table: [UInt32] = []
    /// The number of occupied places.
    private var linkedCount = 0

    init(sort: [SortKey]) {
        self.sort = sort
        columns = sort.map { _ in SortColumn() }
        isIdentity = sort.map { $0.expression == .variable(.root) || $0.expression == .identity(.variable(.root)) }
    }

    mutating func reserve(_ count: Int) {
        keys.reserveCapacity(count)
        for index in columns.indices where !isIdentity[index] { columns[index].reserve(count) }
        rearrange(places: count + count / 3 + 8)
    }

    // MARK: One row

    func id(_ number: UInt32) -> ObjectID { ObjectID(space: space(number), key: keys[Int(number)]) }

    func space(_ number: UInt32) -> IDSpace { spaces.isEmpty ? onlySpace ?? Self.noSpace : spaces[Int(number)] }

    private static let noSpace = IDSpace.intern(storeIdentifier: nil, entityName: "")

    func key(_ number: UInt32) -> Int64 { keys[Int(number)] }

    func isUnsaved(_ number: UInt32) -> Bool {
        space(number).isTemporary || !unsavedWithKey.isEmpty && unsavedWithKey.contains(number)
    }

    func sortValue(_ number: UInt32, key: Int) -> Value {
        isIdentity[key] ? .reference(id(number)) : columns[key].value(number)
    }

    /// Whether the row has these sort values already.
    func holds(_ values: [Value], _ number: UInt32) -> Bool {
        columns.indices.allSatisfy { index in
            isIdentity[index] ? values[index] == .reference(id(number)) : columns[index].holds(values[index], number)
        }
    }

    // MARK: Order

    /// Whether a row precedes another one: by the sort keys, then in the order of rows without any.
    func precedes(_ one: UInt32, _ other: UInt32) -> Bool {
        let order = compare(one, other, keyCount: columns.count)
        if order != 0 { return order < 0 }
        let (isOneUnsaved, isOtherUnsaved) = (isUnsaved(one), isUnsaved(other))
        if isOneUnsaved != isOtherUnsaved { return isOtherUnsaved }
        return id(one).isRow(before: id(other))
    }

    /// Returns -1, 0 or 1 by the first sort keys.
    func compare(_ one: UInt32, _ other: UInt32, keyCount: Int) -> Int {
        for index in 0..<keyCount {
            let order =
                isIdentity[index]
                ? ValueOrder.compare(.reference(id(one)), .reference(id(other)))
                : columns[index].compare(one, other, sort[index].textOrder)
            if order != 0 { return sort[index].isAscending ? order : -order }
        }
        return 0
    }

    // MARK: Changing

    /// Adds a row that is not held.
    mutating func insert(_ id: ObjectID, _ values: [Value], isUnsaved: Bool) -> UInt32 {
        let number = freeNumbers.popLast() ?? UInt32(keys.count)
        setID(id, of: number)
        for index in columns.indices where !isIdentity[index] { columns[index].set(values[index], at: number) }
        if isUnsaved, !id.isTemporary { unsavedWithKey.insert(number) }
        link(number)
        return number
    }

    /// Removes the identity of a row, which keeps its values until it is released.
    mutating func unlink(_ number: UInt32) {
        guard var free = place(of: id(number)) else { return }
        table[free] = 0
        linkedCount -= 1
        // Numbers behind the new gap move into it, unless it precedes the place of their hash.
        var next = after(free)
        while table[next] != 0 {
            let home = home(of: id(table[next] - 1))
            if distance(from: home, to: next) >= distance(from: free, to: next) {
                table[free] = table[next]
                table[next] = 0
                free = next
            }
            next = after(next)
        }
    }

    /// Gives back the number of an unlinked row.
    mutating func release(_ number: UInt32) {
        for index in columns.indices { columns[index].clear(number) }
        if !unsavedWithKey.isEmpty { unsavedWithKey.remove(number) }
        freeNumbers.append(number)
    }

    private mutating func setID(_ id: ObjectID, of number: UInt32) {
        if spaces.isEmpty, id.space != onlySpace {
            if onlySpace == nil || keys.isEmpty {
                onlySpace = id.space
            } else if let onlySpace {
                spaces = Array(repeating: onlySpace, count: keys.count)
            }
        }
        if Int(number) < keys.count { keys[Int(number)] = id.key } else { keys.append(id.key) }
        guard !spaces.isEmpty else { return }
        if Int(number) < spaces.count { spaces[Int(number)] = id.space } else { spaces.append(id.space) }
    }

    // MARK: Finding

    /// Returns the number of a row; `nil` if it is not held.
    func number(of id: ObjectID) -> UInt32? {
        table.isEmpty ? nil : place(of: id).map { table[$0] - 1 }
    }

    private func place(of id: ObjectID) -> Int? {
        var place = home(of: id)
        while table[place] != 0 {
            if self.id(table[place] - 1) == id { return place }
            place = after(place)
        }
        return nil
    }

    private mutating func link(_ number: UInt32) {
        // At most four fifths of the places are occupied.
        if 5 * (linkedCount + 1) > 4 * table.count { rearrange(places: max(16, 3 * table.count / 2)) }
        insertLink(number)
        linkedCount += 1
    }

    private mutating func insertLink(_ number: UInt32) {
        var place = home(of: id(number))
        while table[place] != 0 { place = after(place) }
        table[place] = number + 1
    }

    private mutating func rearrange(places: Int) {
        let old = table
        guard places > old.count else { return }
        table = Array(repeating: 0, count: places)
        for entry in old where entry != 0 { insertLink(entry - 1) }
    }

    /// Keys are mostly consecutive; multiples of the golden ratio spread them. The upper bits are the place.
    private func home(of id: ObjectID) -> Int {
        let bits = UInt64(bitPattern: id.key) ^ (UInt64(id.space.number) << 40)
        let spread = bits &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: spread.multipliedFullWidth(by: UInt64(table.count)).high)
    }

    private func after(_ place: Int) -> Int { place + 1 == table.count ? 0 : place + 1 }

    private func distance(from start: Int, to end: Int) -> Int {
        end >= start ? end - start : end - start + table.count
    }
}
