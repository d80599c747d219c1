import ObjectGraph

/// The exact difference between two states of a list. Applied to a copy of the former state, it gives the present one.
///
/// Positions of removals are those of the former state, positions of insertions and updates those of the present one. An
/// item that moves is removed and inserted. All other items keep their order. Each list is in ascending order of positions.
///
/// This type is not part of Apple's SwiftData.
public struct ListDifference<Item: Hashable & Sendable>: Sendable, Hashable {
    /// An item that left its place.
    public struct Removal: Sendable, Hashable {
        /// The position in the former state.
        public internal(set) var position: Int
        /// The item, as it was in the former state.
        public internal(set) var item: Item
        /// The present position of an item that moved; `nil` for one that is gone.
        public internal(set) var destination: Int?
    }

    /// An item that came to its place.
    public struct Insertion: Sendable, Hashable {
        /// The position in the present state.
        public internal(set) var position: Int
        /// The item.
        public internal(set) var item: Item
        /// The former position of an item that moved; `nil` for a new one.
        public internal(set) var origin: Int?
    }

    /// An item that keeps its place relative to the others, and has changed.
    public struct Update: Sendable, Hashable {
        /// The position in the present state.
        public internal(set) var position: Int
        /// The item.
        public internal(set) var item: Item
        /// The item as it was in the former state, if it is another one: a model has another identifier once it is saved.
        public internal(set) var former: Item?
    }

    /// An item that moved.
    public struct Move: Sendable, Hashable {
        /// The position in the former state.
        public let origin: Int
        /// The position in the present state.
        public let destination: Int
        /// The item.
        public let item: Item
    }

    /// The items that left their places: those that are gone, and those that moved.
    public internal(set) var removals: [Removal] = []
    /// The items that came to their places: the new ones, and those that moved.
    public internal(set) var insertions: [Insertion] = []
    /// The items that keep their places and have changed.
    public internal(set) var updates: [Update] = []

    init() {}

    /// Whether both states are equal, and no item has changed.
    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && updates.isEmpty }

    /// The items that moved.
    public var moves: [Move] {
        insertions.compactMap { insertion in
            insertion.origin.map { Move(origin: $0, destination: insertion.position, item: insertion.item) }
        }
    }

    /// Changes a copy of the former state to the present one.
    /// - Parameter list: The former state. Positions outside it are ignored.
    /// - Complexity: O(n) in the number of items.
    public func apply(to list: inout [Item]) {
        list.replace(
            removing: removals.map(\.position), inserting: insertions.map { (position: $0.position, element: $0.item) })
        for update in updates where update.former != nil && list.indices.contains(update.position) {
            list[update.position] = update.item
        }
    }
}

extension ListDifference<PersistentIdentifier> {
    init(_ difference: LiveDifference) {
        removals = difference.removals.map {
            Removal(position: $0.position, item: PersistentIdentifier($0.id), destination: $0.destination)
        }
        insertions = difference.insertions.map {
            Insertion(position: $0.position, item: PersistentIdentifier($0.id), origin: $0.origin)
        }
        updates = difference.updates.map {
            Update(
                position: $0.position, item: PersistentIdentifier($0.id),
                former: $0.formerID.map(PersistentIdentifier.init))
        }
    }
}

extension ListDifference {
    /// Finds out how two lists differ. Equal items are distinguished by their order.
    /// - Complexity: O(n log n), however many items differ.
    init(from old: [Item], to new: [Item]) {
        let places = Dictionary(
            zip(Self.occurrences(in: old), old.indices), uniquingKeysWith: { first, _ in first })
        let formerPlaces = Self.occurrences(in: new).map { places[$0] }
        let known = new.indices.filter { formerPlaces[$0] != nil }
        let run = IncreasingRun.indices(of: known.compactMap { formerPlaces[$0] }).map { known[$0] }
        let staying = Set(run)
        let stayingBefore = Set(run.compactMap { formerPlaces[$0] })
        removals = old.indices.filter { !stayingBefore.contains($0) }.map { Removal(position: $0, item: old[$0]) }
        insertions = new.indices.filter { !staying.contains($0) }.map { Insertion(position: $0, item: new[$0]) }
        linkMoves()
    }

    /// An item, and the number of equal ones before it.
    private struct Occurrence: Hashable {
        let item: Item
        let number: Int
    }

    private static func occurrences(in list: [Item]) -> [Occurrence] {
        var counts: [Item: Int] = [:]
        return list.map { item in
            defer { counts[item, default: 0] += 1 }
            return Occurrence(item: item, number: counts[item] ?? 0)
        }
    }

    /// Makes moves of items that are removed and inserted.
    mutating func linkMoves() {
        var places: [Item: Int] = [:]
        for (place, removal) in removals.enumerated() where removal.destination == nil { places[removal.item] = place }
        if places.isEmpty { return }
        for index in insertions.indices where insertions[index].origin == nil {
            guard let place = places.removeValue(forKey: insertions[index].item) else { continue }
            insertions[index].origin = removals[place].position
            removals[place].destination = insertions[index].position
        }
    }
}
