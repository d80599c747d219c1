/// A face's lists of the members of to-many relationships, as they were after the program's last edit. The next edit begins
/// with one, so that adding to a long list makes no list of all members each time.
///
/// The lists hold the members' objects, so they are kept until the next save or rollback, and no more of them than
/// `memberLimit` members in all.
struct KeptLists {
    private struct Place: Hashable {
        let owner: ObjectIdentifier
        let toManyIndex: Int
    }

    private struct Kept {
        let owner: Record
        /// The members' mark when the list was kept.
        let mark: UInt64
        let list: AnyObject
        let memberCount: Int
    }

    private static let memberLimit = 1 << 21

    private var lists: [Place: Kept] = [:]
    private var memberCount = 0

    /// The list, which is no longer kept then, so that the caller alone holds it.
    mutating func take(of owner: Record, _ toManyIndex: Int) -> (list: AnyObject, mark: UInt64)? {
        if lists.isEmpty { return nil }
        let place = Place(owner: ObjectIdentifier(owner), toManyIndex: toManyIndex)
        guard let kept = lists.removeValue(forKey: place) else { return nil }
        memberCount -= kept.memberCount
        return (kept.list, kept.mark)
    }

    mutating func keep(_ list: AnyObject, count: Int, mark: UInt64, of owner: Record, _ toManyIndex: Int) {
        if memberCount + count > Self.memberLimit { removeAll() }
        lists[Place(owner: ObjectIdentifier(owner), toManyIndex: toManyIndex)] = Kept(
            owner: owner, mark: mark, list: list, memberCount: count)
        memberCount += count
    }

    mutating func removeAll() {
        if lists.isEmpty { return }
        // Their members need not note what comes from now on.
        for (place, kept) in lists where place.toManyIndex < kept.owner.toMany.count {
            kept.owner.withMembers(place.toManyIndex) { if $0.mark == kept.mark { $0.forgetMark() } }
        }
        lists = [:]
        memberCount = 0
    }
}
