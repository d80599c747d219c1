import ObjectGraph
import StoreSQL

/// Decides the repair of invalid keys and of rows without a mandatory destination. All decisions are made together,
/// because a deleted row no longer blocks the deletion of another, and a cleared key no longer keeps its destination.
struct LinkRepair {
    /// A row and its faulty key, by position in `CheckLayout.keys`.
    struct Place: Hashable {
        let key: Int
        let row: ObjectID
    }

    private let layout: CheckLayout
    /// Optional keys without a valid destination.
    private let dangling: Set<Place>
    /// Mandatory keys without a valid destination.
    private let orphans: Set<Place>
    /// Mandatory keys that the delete rules may have left without a row.
    private let permitted: Set<Place>
    private let pairs: [PairFaults]
    private let dependencies: [RowDependency]

    /// Rows to delete.
    private(set) var deleted: Set<ObjectID> = []
    private(set) var cleared: Set<Place> = []
    private(set) var completed: [Place: ObjectID] = [:]
    /// One-to-one keys that cannot be repaired.
    private(set) var unsolved: Set<Place> = []

    init(_ checker: StoreChecker) throws {
        layout = checker.layout
        var dangling: Set<Place> = []
        var orphans: Set<Place> = []
        var permitted: Set<Place> = []
        for (position, key) in layout.keys.enumerated() {
            if key.kind == .mandatory {
                orphans.formUnion(try checker.places(position, where: key.isOrphaned))
                if key.mayBeDangling { permitted.formUnion(try checker.places(position, where: key.dangles)) }
            } else {
                dangling.formUnion(try checker.places(position, where: key.dangles))
                if let other = key.refersToOtherEntity {
                    dangling.formUnion(try checker.places(position, where: other))
                }
            }
        }
        self.dangling = dangling
        self.orphans = orphans
        self.permitted = permitted
        pairs = try layout.pairs.map { try PairFaults($0, checker) }
        dependencies = orphans.isEmpty ? [] : try checker.dependencies(of: Set(orphans.map(\.row)))
        decide()
    }

    /// Mandatory keys that remain without a destination.
    var remainingOrphans: Set<Place> { remaining(orphans) }
    var remainingPermitted: Set<Place> { remaining(permitted) }

    /// For each deleted row, the positions of its mandatory keys without a destination.
    var reasonsOfDeletions: [ObjectID: [Int]] {
        Dictionary(grouping: orphans.filter { deleted.contains($0.row) }, by: \.row).mapValues { $0.map(\.key) }
    }

    private func remaining(_ places: Set<Place>) -> Set<Place> {
        places.filter { completed[$0] == nil && !deleted.contains($0.row) }
    }

    // MARK: Deciding

    /// The set of deleted rows only grows: no later decision makes a deleted row needed again. So the loop ends.
    private mutating func decide() {
        while true {
            match()
            let next = deletable(Set(orphans.filter { completed[$0] == nil }.map(\.row)))
            if next.isSubset(of: deleted) { break }
            deleted.formUnion(next)
        }
        cleared = cleared.filter { completed[$0] == nil && !deleted.contains($0.row) }
    }

    private mutating func match() {
        cleared = dangling
        completed = [:]
        unsolved = []
        for pair in pairs {
            let outcome = pair.matched(without: deleted)
            cleared.formUnion(outcome.cleared)
            completed.merge(outcome.completed) { first, _ in first }
            unsolved.formUnion(outcome.unsolved)
        }
    }

    /// Returns the largest subset of the candidates that can be deleted together: no surviving row refers to one of them
    /// or would have to be deleted with it.
    private func deletable(_ candidates: Set<ObjectID>) -> Set<ObjectID> {
        var held: [ObjectID: [ObjectID]] = [:]
        var staying: [ObjectID] = []
        func add(_ row: ObjectID, heldBy other: ObjectID?) {
            guard candidates.contains(row) else { return }
            if let other, candidates.contains(other) {
                held[other, default: []].append(row)
            } else {
                staying.append(row)
            }
        }
        for dependency in dependencies {
            // A key that will be cleared or changed is no dependency.
            if let place = dependency.place, cleared.contains(place) || completed[place] != nil { continue }
            add(dependency.row, heldBy: dependency.other)
        }
        for (place, destination) in completed {
            add(destination, heldBy: place.row)
            if layout.keys[place.key].dependsOnDestination { add(place.row, heldBy: destination) }
        }
        var result = candidates
        while let row = staying.popLast() {
            if result.remove(row) != nil { staying += held[row] ?? [] }
        }
        return result
    }
}

extension StoreChecker {
    fileprivate func places(_ key: Int, where condition: String) throws -> [LinkRepair.Place] {
        try rows(table: layout.keys[key].table, where: condition, layout.keys[key].entity)
            .map { LinkRepair.Place(key: key, row: $0) }
    }
}

/// The ends of one one-to-one relationship whose destinations do not refer back.
private struct PairFaults {
    private let pair: CheckLayout.OneToOne
    private let halves: [OneToOneMatching.Half]
    private let rows: [OneToOneMatching.End: ObjectID]
    private let isMandatory: [Bool]

    struct Outcome {
        var cleared: [LinkRepair.Place]
        let completed: [LinkRepair.Place: ObjectID]
        let unsolved: [LinkRepair.Place]
    }

    init(_ pair: CheckLayout.OneToOne, _ checker: StoreChecker) throws {
        self.pair = pair
        isMandatory = pair.ends.map { checker.layout.keys[$0].kind == .mandatory }
        var halves: [OneToOneMatching.Half] = []
        var rows: [OneToOneMatching.End: ObjectID] = [:]
        for side in pair.ends.indices {
            let key = checker.layout.keys[pair.ends[side]]
            let inverse = checker.layout.inverse(side, in: pair)
            if try checker.isSetAtOneEnd(key, inverse) { continue }
            for half in try checker.halves(key, inverse) {
                let from = OneToOneMatching.End(side: side, key: half.from.key)
                let to = OneToOneMatching.End(side: pair.ends.count - 1 - side, key: half.to.key)
                rows[from] = half.from
                rows[to] = half.to
                halves.append(OneToOneMatching.Half(from: from, to: to, destinationIsFree: half.isFree))
            }
        }
        self.halves = halves
        self.rows = rows
    }

    /// Pairs the surviving rows. References to deleted rows are cleared and their owners count as unpaired.
    func matched(without deleted: Set<ObjectID>) -> Outcome {
        func isDeleted(_ end: OneToOneMatching.End) -> Bool { rows[end].map(deleted.contains) ?? false }
        let remaining = halves.filter { !isDeleted($0.from) && !isDeleted($0.to) }
        let bereft = Set(halves.filter { !isDeleted($0.from) && isDeleted($0.to) }.map(\.from))
        let matching = OneToOneMatching(
            remaining.map {
                .init(from: $0.from, to: $0.to, destinationIsFree: $0.destinationIsFree || bereft.contains($0.to))
            }, isMandatory: isMandatory)
        let completed = matching.completed.compactMap { end, destination -> (LinkRepair.Place, ObjectID)? in
            guard let place = place(end), let destination = rows[destination] else { return nil }
            return (place, destination)
        }
        return Outcome(
            cleared: (matching.cleared + bereft).compactMap(place),
            completed: Dictionary(completed, uniquingKeysWith: { first, _ in first }),
            unsolved: matching.unsolved.compactMap(place))
    }

    private func place(_ end: OneToOneMatching.End) -> LinkRepair.Place? {
        rows[end].map { LinkRepair.Place(key: pair.ends[end.side], row: $0) }
    }
}

extension StoreChecker {
    /// Returns the rows of a one-to-one relationship whose destination does not refer back, with that destination and
    /// whether it has no destination itself.
    fileprivate func halves(
        _ key: StoredKey, _ inverse: StoredKey
    ) throws -> [(from: ObjectID, to: ObjectID, isFree: Bool)] {
        let columns = ["r", "t"].map { "\($0).\(SystemTables.keyColumn), \($0).\(SystemTables.entityColumn)" }
        let sql =
            "SELECT \(columns.joined(separator: ", ")), t.\(inverse.column) IS NULL OR \(inverse.isDanglingTest("t")) "
            + halfSet(key, inverse: inverse)
        return try connection.withStatement(sql) { statement in
            var halves: [(from: ObjectID, to: ObjectID, isFree: Bool)] = []
            while try statement.step() {
                halves.append(
                    (
                        id(key: statement.integer(at: 0), number: statement.integer(at: 1), key.entity),
                        id(key: statement.integer(at: 2), number: statement.integer(at: 3), inverse.entity),
                        statement.integer(at: 4) != 0
                    ))
            }
            return halves
        }
    }
}
