extension LiveResults {
    /// What one event means for one observer, collected while changes are dispatched.
    struct Work {
        /// Objects of the fetched entity to test again, each with whether the object itself has changed.
        var tested: [(id: ObjectID, isOwnChange: Bool)] = []
        /// Changed objects at other nodes, by node.
        var reached: [Int: [ObjectID]] = [:]
        /// Deleted objects at other nodes, by node, to which unsaved links may still refer.
        var lost: [Int: RowSet] = [:]
        /// Objects with another identity: former and present one.
        var renamed: [(former: ObjectID, id: ObjectID)] = []
        /// Rows that are gone.
        var removed = RowSet()
        /// Why the results must be fetched again.
        var refetch: LiveRefetch?

        var isEmpty: Bool {
            tested.isEmpty && reached.isEmpty && lost.isEmpty && renamed.isEmpty && removed.isEmpty && refetch == nil
        }

        /// The number of objects that are listed.
        var count: Int {
            [tested.count, removed.count].saturatingSum() + reached.values.reduce(0) { $0 + $1.count }
                + lost.values.reduce(0) { $0 + $1.count }
        }

        /// Joins the entries of each object.
        mutating func removeDuplicates() {
            guard tested.count > 1 else { return }
            var places: [ObjectID: Int] = [:]
            var distinct: [(id: ObjectID, isOwnChange: Bool)] = []
            for (id, isOwnChange) in tested {
                if let place = places[id] {
                    distinct[place].isOwnChange = distinct[place].isOwnChange || isOwnChange
                } else {
                    places[id] = distinct.count
                    distinct.append((id, isOwnChange))
                }
            }
            tested = distinct
        }

        mutating func requireRefetch(_ reason: LiveRefetch) { refetch = refetch ?? reason }
    }
}
