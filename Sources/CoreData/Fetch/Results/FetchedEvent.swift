import Foundation
import ObjectGraph

/// What an event or merge does to results, by former and present positions.
struct FetchedEvent {
    struct Departure {
        let old: Int
        /// The present position of a moved result.
        var new: Int?
    }

    struct Arrival {
        let new: Int
        let object: NSManagedObject
        /// The former position of a moved result.
        var old: Int?
    }

    /// A result that is where it was, relative to the others.
    struct Stay {
        let new: Int
        let object: NSManagedObject
        /// Whether its values may have changed.
        let isUpdated: Bool
    }

    /// By former position, ascending.
    private(set) var departures: [Departure]
    /// By present position, ascending.
    private(set) var arrivals: [Arrival] = []
    /// Those whose values, section or object may be others, ascending.
    private(set) var stays: [Stay] = []
    /// The number of results after the event.
    let count: Int

    var isEmpty: Bool { departures.isEmpty && arrivals.isEmpty && stays.isEmpty }

    /// - Parameters:
    ///   - changed: present positions of results that the event may have changed.
    ///   - object: the result at a present position.
    /// - Returns: `nil` if an object is missing.
    init?(
        _ difference: LiveDifference, changed: Set<Int>, of count: Int, _ change: GraphChanges,
        _ object: (Int) -> NSManagedObject?
    ) {
        self.count = count
        departures = difference.removals.map { Departure(old: $0.position, new: $0.destination) }
        for insertion in difference.insertions {
            guard let object = object(insertion.position) else { return nil }
            arrivals.append(Arrival(new: insertion.position, object: object, old: insertion.origin))
        }
        var touched = changed.union(difference.updates.lazy.map(\.position))
        // Anything may have changed while results were not followed.
        if difference.isRefetched || change.isOverflow { touched = Set(0..<count) }
        touched.subtract(arrivals.lazy.map(\.new))
        for position in touched.sorted() {
            guard let object = object(position) else { return nil }
            stays.append(
                Stay(new: position, object: object, isUpdated: change.isOverflow || changed.contains(position)))
        }
    }
}
