extension LiveResults {
    /// What an event changes in the rows held by an observer.
    struct HeldChange {
        /// A row to insert.
        struct Incoming {
            let id: ObjectID
            let values: [Value]
            let isUnsaved: Bool
            /// The same object at its former place.
            let former: UInt32?
        }

        struct Leaving {
            let number: UInt32
            var position = 0
            /// The index of the section that it leaves.
            var section = 0
        }

        struct Entering {
            let number: UInt32
            var position = 0
            let former: UInt32?
            /// Whether there were no rows of its section before.
            let isNewSection: Bool
        }

        var incoming: [Incoming] = []
        private(set) var leavingNumbers: Set<UInt32> = []
        /// By position, once noted.
        var leaving: [Leaving] = []
        /// By position, once noted.
        var entering: [Entering] = []
        /// Rows that stay, with other values.
        var updated: [UInt32] = []

        var isEmpty: Bool { leavingNumbers.isEmpty && incoming.isEmpty && updated.isEmpty }

        /// Whether rows leave or enter; otherwise only values of the present ones have changed.
        var changesOrder: Bool { !leavingNumbers.isEmpty || !incoming.isEmpty }

        mutating func leave(_ number: UInt32) { leavingNumbers.insert(number) }
        mutating func leave(_ numbers: [UInt32]) {
            leavingNumbers.reserveCapacity(leavingNumbers.count + numbers.count)
            leavingNumbers.formUnion(numbers)
        }
        func isLeaving(_ number: UInt32) -> Bool { leavingNumbers.contains(number) }

        /// - Parameter isMany: Whether to pass over all rows once, which is faster for a large part of them.
        mutating func notePositions(in tree: OrderedTree, isMany: Bool) {
            leaving.reserveCapacity(leavingNumbers.count)
            guard isMany else {
                leaving = leavingNumbers.map { Leaving(number: $0, position: tree.position(of: $0)) }
                return leaving.sort { $0.position < $1.position }
            }
            for (position, number) in tree.all.enumerated() where leavingNumbers.contains(number) {
                leaving.append(Leaving(number: number, position: position))
            }
        }

        mutating func noteEnteringPositions(in tree: OrderedTree) {
            for index in entering.indices { entering[index].position = tree.position(of: entering[index].number) }
            entering.sort { $0.position < $1.position }
        }
    }
}
