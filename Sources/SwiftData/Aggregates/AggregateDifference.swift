import ObjectGraph

/// The exact difference between two states of live groups. Applied to a copy of the former ones, it gives the present ones.
///
/// Positions of removals are those of the former groups, positions of insertions and updates those of the present ones. Each
/// list is in ascending order of positions. Groups are in the order of their keys, so that none moves.
///
/// This type is not part of Apple's SwiftData.
public struct AggregateDifference<Key: Sendable, Value: Sendable>: Sendable {
    /// A group that is gone.
    public struct Removal: Sendable {
        /// The position among the former groups.
        public let position: Int
        /// The group, as it was.
        public let group: AggregateGroup<Key, Value>
    }

    /// A group that is new.
    public struct Insertion: Sendable {
        /// The position among the present groups.
        public let position: Int
        /// The group.
        public let group: AggregateGroup<Key, Value>
    }

    /// A group with other aggregates.
    public struct Update: Sendable {
        /// The position among the present groups.
        public let position: Int
        /// The group.
        public let group: AggregateGroup<Key, Value>
        /// The aggregates before.
        public let former: Value
    }

    /// The groups that are gone.
    public let removals: [Removal]
    /// The groups that are new.
    public let insertions: [Insertion]
    /// The groups whose aggregates have changed.
    public let updates: [Update]

    /// - Complexity: O(n) in the number of groups.
    init(from former: GroupList<Key, Value>, to present: GroupList<Key, Value>) {
        let difference = ListDifference(from: former.keys, to: present.keys)
        let shift = PositionShift(
            removed: difference.removals.map(\.position), inserted: difference.insertions.map(\.position))
        removals = difference.removals.map { Removal(position: $0.position, group: former.groups[$0.position]) }
        insertions = difference.insertions.map { Insertion(position: $0.position, group: present.groups[$0.position]) }
        updates = present.groups.indices.compactMap { position in
            guard let before = shift.former(of: position), former.rows[before] != present.rows[position] else {
                return nil
            }
            return Update(position: position, group: present.groups[position], former: former.groups[before].value)
        }
    }

    /// Changes a copy of the former groups to the present ones.
    /// - Parameter groups: The former groups. Positions outside them are ignored.
    /// - Complexity: O(n) in the number of groups.
    public func apply(to groups: inout [AggregateGroup<Key, Value>]) {
        groups.replace(
            removing: removals.map(\.position), inserting: insertions.map { (position: $0.position, element: $0.group) }
        )
        for update in updates where groups.indices.contains(update.position) { groups[update.position] = update.group }
    }
}
