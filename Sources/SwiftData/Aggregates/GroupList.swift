import ObjectGraph

/// The groups of one descriptor at one time, with the values that they are read from, which can be compared.
struct GroupList<Key, Value> {
    let rows: [RowGroup]
    let groups: [AggregateGroup<Key, Value>]

    init(_ found: [(row: RowGroup, group: AggregateGroup<Key, Value>)]) {
        (rows, groups) = (found.map(\.row), found.map(\.group))
    }

    /// What distinguishes the groups.
    var keys: [[ValueKey]] { rows.map { $0.keys.map(ValueKey.init) } }
}

extension GroupList: Sendable where Key: Sendable, Value: Sendable {}

/// Two states of groups. Their difference is found when a reader takes it, so that those of a slow reader cost nothing.
struct GroupListChange<Key: Sendable, Value: Sendable>: MergeableDifference {
    let former: GroupList<Key, Value>
    private(set) var present: GroupList<Key, Value>

    init(from former: GroupList<Key, Value>, to present: GroupList<Key, Value>) {
        self.former = former
        self.present = present
    }

    var isEmpty: Bool { former.rows == present.rows }
    var weight: Int { 1 }
    var difference: AggregateDifference<Key, Value> { AggregateDifference(from: former, to: present) }

    mutating func append(_ later: GroupListChange) { present = later.present }
}

/// The readers of the changes of groups, whatever the types of these.
protocol GroupReaders<Key, Value>: AnyObject {
    associatedtype Key
    associatedtype Value

    var isRead: Bool { get }
    func post(from former: GroupList<Key, Value>, to present: GroupList<Key, Value>)
}

/// The readers of the changes of groups that can be passed to other actors.
final class GroupFeed<Key: Sendable, Value: Sendable>: GroupReaders {
    private let feed = DifferenceFeed<GroupListChange<Key, Value>>()

    var isRead: Bool { feed.isRead }

    func open() -> DifferenceMailbox<GroupListChange<Key, Value>> { feed.open() }

    func post(from former: GroupList<Key, Value>, to present: GroupList<Key, Value>) {
        feed.post(GroupListChange(from: former, to: present))
    }
}
