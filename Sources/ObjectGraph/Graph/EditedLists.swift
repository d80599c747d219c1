/// A face's lists of the members of to-many relationships, after the program's last edit. The next edit starts from the
/// kept list, so that appending to a long list does not create a list of all members each time.
///
/// The lists own the members' objects, so they are kept until the next save or rollback, and with at most `memberLimit`
/// members in total.
struct EditedLists {
    private struct Place: Hashable {
        let owner: ObjectIdentifier
        let toManyIndex: Int
    }

    private struct Entry {
        let owner: Record
        /// The mark of the members when the list was kept.
        let mark: UInt64
        let list: AnyObject
        let memberCount: Int
    }

    private static let memberLimit = 1 << 21

    private var lists: [Place: Entry] = [:]
    private var memberCount = 0

    /// Returns a list and stops keeping it, so that the caller has the only reference.
    mutating func take(of owner: Record, _ toManyIndex: Int) -> (list: AnyObject, mark: UInt64)? {
        if lists.isEmpty { return nil }
        let place = Place(owner: ObjectIdentifier(owner), toManyIndex: toManyIndex)
        guard let entry = lists.removeValue(forKey: place) else { return nil }
        memberCount -= entry.memberCount
        return (entry.list, entry.mark)
    }

    mutating func cache(_ list: AnyObject, count: Int, mark: UInt64, of owner: Record, _ toManyIndex: Int) {
        if memberCount + count > Self.memberLimit { removeAll() }
        lists[Place(owner: ObjectIdentifier(owner), toManyIndex: toManyIndex)] = Entry(
            owner: owner, mark: mark, list: list, memberCount: count)
        memberCount += count
    }

    mutating func removeAll() {
        if lists.isEmpty { return }
        // Their members need not record further additions.
        for (place, entry) in lists where place.toManyIndex < entry.owner.toMany.count {
            entry.owner.withMembers(place.toManyIndex) { if $0.mark == entry.mark { $0.discardMark() } }
        }
        lists = [:]
        memberCount = 0
    }
}
